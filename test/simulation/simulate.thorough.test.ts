import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, jest, test } from '@jest/globals';
import * as v from 'valibot';

// A history takes about a second on a free core, and longer while other tests run.
jest.setTimeout(600_000);

/** Enough for every end of a job. Each night CI simulates thousands more. */
const SEEDS = '20';
const sumsSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.number()));

/** Runs in separate processes, because libraries are much slower within Jest. */
const simulate = async (...args: string[]) => {
  const script = join(import.meta.dirname, 'simulate.ts');
  return (await promisify(execFile)(process.execPath, [script, ...args])).stdout;
};

test('twenty histories break no promise, and contain every possible end of a job', async () => {
  const stdout = await simulate('--seeds', SEEDS);
  expect(stdout).toMatch(`${SEEDS} seeds, 0 with violations`);
  const sums = v.parse(sumsSchema, /^\{.*?^\}/ms.exec(stdout)?.[0]);
  for (const end of ['completed', 'failed', 'cancelled', 'expired'])
    expect([end, sums[`jobs ${end}`]]).toEqual([end, expect.any(Number)]);
});

test.each([
  ['a call that work has begun comes after its end', '3002998'],
  ['moderation refuses most jobs of a provider whose calls stop', '3006196'],
])('a history in which %s breaks no promise', async (_, seed) => {
  expect(await simulate('--seed', seed)).toContain('violations: []');
});
