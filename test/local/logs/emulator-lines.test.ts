import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { emulatorLines, type FunctionLogLine } from '../../../local/logs/log-lines.ts';

const line = (text: string): FunctionLogLine => ({ logGroup: 'group', time: 1, text });
const told = (...lines: FunctionLogLine[]) => lines.map((each) => `${JSON.stringify(each)}\n`).join('');

async function write(output: PassThrough, text: string): Promise<void> {
  output.write(text);
  if (output.readableLength > 0) await once(output, 'data');
  await new Promise(setImmediate);
}

test('lines wait for their reader, and arrive once and in order until it stops', async () => {
  const output = new PassThrough();
  const readLogs = emulatorLines(output);
  await write(output, told(line('before'), line('any\ntext "of" a function')));
  const delivered: FunctionLogLine[] = [];
  const reader = readLogs((each) => delivered.push(each));
  expect(delivered).toEqual([line('before'), line('any\ntext "of" a function')]);
  const [half, rest] = [told(line('after')).slice(0, 20), told(line('after')).slice(20)];
  await write(output, half);
  expect(delivered).toHaveLength(2);
  await write(output, rest);
  expect(delivered.slice(2)).toEqual([line('after')]);
  await reader.stop();
  await write(output, told(line('too late')));
  expect(delivered).toHaveLength(3);
});

test('lines that are not from a function are dropped', async () => {
  const output = new PassThrough();
  const readLogs = emulatorLines(output);
  await write(output, `Hello\n{"logGroup":1}\n${told(line('mine'))}`);
  const delivered: FunctionLogLine[] = [];
  readLogs((each) => delivered.push(each));
  expect(delivered).toEqual([line('mine')]);
});

test('a pipe that nobody reads yet does not fill', async () => {
  const output = new PassThrough({ highWaterMark: 64 });
  const readLogs = emulatorLines(output);
  const many = Array.from({ length: 1000 }, (_, index) => line(String(index)));
  for (const each of many) await write(output, told(each));
  expect(output.readableLength).toBe(0);
  const delivered: FunctionLogLine[] = [];
  readLogs((each) => delivered.push(each));
  expect(delivered).toEqual(many);
});
