import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, jest, test } from '@jest/globals';
import * as v from 'valibot';

// A history takes about a second on a free core, and longer while other tests run.
jest.setTimeout(600_000);

const SEEDS = '100';
const sumsSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.number()));

/** Runs in separate processes, because libraries are much slower within Jest. */
test('a hundred histories break no promise, and contain every possible end of a job', async () => {
  const args = [join(import.meta.dirname, 'simulate.ts'), '--seeds', SEEDS];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toMatch(`${SEEDS} seeds, 0 with violations`);
  const sums = v.parse(sumsSchema, /^\{.*?^\}/ms.exec(stdout)?.[0]);
  for (const end of ['completed', 'failed', 'cancelled', 'expired'])
    expect([end, sums[`jobs ${end}`]]).toEqual([end, expect.any(Number)]);
});
