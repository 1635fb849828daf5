import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { pour } from '../../../functions/byte-streams.ts';
import { StreamedFile } from '../../../functions/files/upload/streamed-file.ts';

async function* chunks(count: number) {
  for (let i = 0; i < count; i++) yield Buffer.alloc(10_000, 'x');
}

test('written bytes are read, with backpressure', async () => {
  const { promise: held, resolve: read } = Promise.withResolvers<void>();
  const sink = new StreamedFile(async (file) => {
    await held;
    return text(file);
  });
  let written = 0;
  let room: Promise<void> | undefined;
  while (room === undefined && written < 100) {
    room = sink.write(Buffer.alloc(10_000, 'x'));
    written += 1;
  }
  expect(written).toBeLessThan(20);
  read();
  await room;
  expect(await sink.end()).toHaveLength(written * 10_000);
});

test('written bytes may be written over before they are read', async () => {
  const sink = new StreamedFile(text);
  const lent = Buffer.from('lent');
  void sink.write(lent);
  lent.fill('!');
  expect(await sink.end()).toBe('lent');
});

test('the error of a reader reaches the next write', async () => {
  const failure = new Error('no room there');
  await expect(pour(chunks(100), new StreamedFile(() => Promise.reject(failure)))).rejects.toBe(failure);
});

test('if a reader is done before the end, the rest is dropped', async () => {
  expect(await pour(chunks(1_000), new StreamedFile(async () => 'enough'))).toBe('enough');
});

test('a reader that has failed gets no more bytes', async () => {
  const failure = new Error('no room there');
  const sink = new StreamedFile(() => Promise.reject(failure));
  await turn();
  expect(() => sink.write(Buffer.from('x'))).toThrow(failure);
});

test('a reader that is done keeps nobody waiting for room', async () => {
  const sink = new StreamedFile(async () => 'enough');
  await turn();
  expect(sink.write(Buffer.alloc(1_000_000))).toBeUndefined();
});

test('an error that the reader does not listen to does no harm', async () => {
  let stream: Readable | undefined;
  const sink = new StreamedFile(async (file) => {
    stream = file;
  });
  await sink.end();
  expect(stream?.emit('error', new Error('hung up'))).toBe(true);
});

test('a reader gets an error if the bytes were cut off', async () => {
  const seen: unknown[] = [];
  const sink = new StreamedFile((file) => text(file).catch((error: unknown) => seen.push(error)));
  void sink.write(Buffer.from('x'));
  const reason = new Error('hung up');
  await sink.abort(reason);
  expect(seen).toMatchObject([{ message: 'the form was refused', cause: reason }]);
});
