import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { keepSamples, readSamples } from '../../../local/dashboard/metrics-file.ts';

let folder: string;
beforeEach(() => {
  told.length = 0;
  folder = join(mkdtempSync(join(tmpdir(), 'genway-metrics-')), 'metrics');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

const sample = (value: number) => ({ namespace: 'n', name: 'm', dimensions: { d: 'v' }, at: 1, value });
const told: string[] = [];
const keep = (mostBytes?: number) => keepSamples(folder, (text) => told.push(text), mostBytes);
const values = () => readSamples(folder).map(({ value }) => value);

test('samples of a run are read back; before the first one there are none', () => {
  expect(readSamples(folder)).toEqual([]);
  const add = keep();
  add([sample(1), sample(2)]);
  add([]);
  add([sample(3)]);
  expect(readSamples(folder)).toEqual([sample(1), sample(2), sample(3)]);
});

test('another run begins an empty file, at its first sample', () => {
  keep()([sample(1)]);
  const next = keep();
  expect(values()).toEqual([1]);
  next([sample(2)]);
  expect(values()).toEqual([2]);
});

test('a full file drops the oldest samples, and keeps the order', () => {
  const bytes = JSON.stringify(sample(1)).length + 1;
  const add = keep(2 * bytes);
  for (let value = 1; value <= 4; value += 1) add([sample(value)]);
  expect(values()).toEqual([1, 2, 3, 4]);
  add([sample(5)]);
  expect(values()).toEqual([3, 4, 5]);
});

test('samples larger than a whole file are kept nevertheless', () => {
  const add = keep(1);
  for (const value of [1, 2, 3]) add([sample(value)]);
  expect([values(), told]).toEqual([[2, 3], []]);
});

test('a failed write stops nothing: it is reported once, and the samples begin again', () => {
  const add = keep();
  add([sample(1)]);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, 'in its place');
  add([sample(2)]);
  add([sample(3)]);
  expect(values()).toEqual([3]);
  rmSync(folder, { recursive: true });
  add([sample(4)]);
  expect(told).toEqual([expect.stringMatching(/^the dashboards miss numbers: Error: ENOTDIR/)]);
});

test('a line that is still being written is read the next time', () => {
  mkdirSync(folder);
  writeFileSync(join(folder, 'latest.jsonl'), `${JSON.stringify(sample(1))}\n{"namespa`);
  expect(values()).toEqual([1]);
  appendFileSync(join(folder, 'latest.jsonl'), `${JSON.stringify(sample(2)).slice(9)}\n`);
  expect(values()).toEqual([1, 2]);
});
