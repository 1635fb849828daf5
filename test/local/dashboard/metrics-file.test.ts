import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { MetricsFile, readSamples } from '../../../local/dashboard/metrics-file.ts';

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'genway-metrics-')), 'metrics');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

const sample = (value: number) => ({ namespace: 'n', name: 'm', dimensions: { d: 'v' }, at: 1, value });
const values = () => readSamples(folder).map(({ value }) => value);

test('what a run counts is read back; before there is anything, there is nothing', () => {
  expect(readSamples(folder)).toEqual([]);
  const file = new MetricsFile(folder);
  file.add([sample(1), sample(2)]);
  file.add([]);
  file.add([sample(3)]);
  expect(readSamples(folder)).toEqual([sample(1), sample(2), sample(3)]);
});

test('another run begins anew, and not before it counts', () => {
  new MetricsFile(folder).add([sample(1)]);
  const next = new MetricsFile(folder);
  expect(values()).toEqual([1]);
  next.add([sample(2)]);
  expect(values()).toEqual([2]);
});

test('the oldest go where it is full, and what is left is in order', () => {
  const bytes = JSON.stringify(sample(1)).length + 1;
  const file = new MetricsFile(folder, { mostBytes: 2 * bytes });
  for (let value = 1; value <= 4; value += 1) file.add([sample(value)]);
  expect(values()).toEqual([1, 2, 3, 4]);
  file.add([sample(5)]);
  expect(values()).toEqual([3, 4, 5]);
});

test('what is larger than a file may be is kept all the same', () => {
  const told: string[] = [];
  const file = new MetricsFile(folder, { mostBytes: 1, warn: (text) => told.push(text) });
  for (const value of [1, 2, 3]) file.add([sample(value)]);
  expect([values(), told]).toEqual([[2, 3], []]);
});

test('what cannot be kept ends nothing: that is told once, and the numbers begin anew', () => {
  const told: string[] = [];
  const file = new MetricsFile(folder, { warn: (text) => told.push(text) });
  file.add([sample(1)]);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, 'in its place');
  file.add([sample(2)]);
  file.add([sample(3)]);
  expect(values()).toEqual([3]);
  rmSync(folder, { recursive: true });
  file.add([sample(4)]);
  expect(told).toEqual([expect.stringMatching(/^the dashboards miss numbers: Error: ENOTDIR/)]);
});

test('a line that is being written is left for the next time', () => {
  mkdirSync(folder);
  writeFileSync(join(folder, 'latest.jsonl'), `${JSON.stringify(sample(1))}\n{"namespa`);
  expect(values()).toEqual([1]);
  appendFileSync(join(folder, 'latest.jsonl'), `${JSON.stringify(sample(2)).slice(9)}\n`);
  expect(values()).toEqual([1, 2]);
});
