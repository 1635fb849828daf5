import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { bareClient, bundleNames, COLD_BAR, loadedBytes } from './bundle-bytes.ts';

const budgetsSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.number()));
const budgets = v.parse(
  budgetsSchema,
  readFileSync(join(import.meta.dirname, 'bundle-budgets.json'), 'utf8'),
);
/**
 * How far a bundle may be from its budget, in either direction. If it became smaller, lower its budget: `npx node
 * test/infra/write-bundle-budgets.ts`.
 */
const TOLERANCE = 0.05;

test('every function loads about as many bytes as its budget says', () => {
  const names = bundleNames();
  expect(names.length).toBeGreaterThan(70);
  const sizes = names.map((name) => [name, loadedBytes(name)] as const);
  const off = sizes.filter(([name, bytes]) => !(Math.abs(bytes / (budgets[name] ?? 0) - 1) <= TOLERANCE));
  expect(Object.fromEntries(off)).toEqual({});
  expect(Object.keys(budgets)).toEqual(names);
});

test('no function is much larger than a bare DynamoDB client, but one that nobody waits for', async () => {
  const limit = COLD_BAR * (await bareClient()).length;
  // It runs once in a deployment, and EC2's client is the largest of all.
  expect(bundleNames().filter((name) => loadedBytes(name) > limit)).toEqual(['look-up-region']);
});

test('the catalogue of models is loaded only by functions that use it', () => {
  const hasCatalogue = (name: string) =>
    readFileSync(join('dist/functions', name, 'index.mjs'), 'utf8').includes('google/veo-3.1');
  expect(['list-video-models', 'poll-videos'].map(hasCatalogue)).toEqual([true, true]);
  expect(['get-video', 'get-video-content', 'list-videos'].map(hasCatalogue)).toEqual([false, false, false]);
});

test('lazy imports of a function do not count, static imports of its chunks do', () => {
  const [whole, split] = ['get-workspace', 'get-file'].map((name) => loadedBytes(name));
  expect(split).toBeGreaterThan(readFileSync(join('dist/functions/get-file/index.mjs')).length);
  expect(split).toBeLessThan(2 * (whole ?? 0));
});
