import { PassThrough, Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { receiveBody } from '../../../functions/files/upload/receive-body.ts';

const turns = async () => {
  for (let i = 0; i < 20; i++) await turn();
};
const chunksOf = (...lengths: number[]) => Readable.from(lengths.map((length) => Buffer.alloc(length)));

describe('a body', () => {
  test('is passed on chunk by chunk, with backpressure', async () => {
    const taken: number[] = [];
    const { promise: room, resolve: makeRoom } = Promise.withResolvers<void>();
    const read = receiveBody(chunksOf(1, 2, 3), ({ length }) => {
      taken.push(length);
      return length === 2 ? room : undefined;
    });
    await turns();
    expect(taken).toEqual([1, 2]);
    makeRoom();
    await read;
    expect(taken).toEqual([1, 2, 3]);
  });

  const pace = { bytesPerSecond: 1, graceMilliseconds: 60_000, checkMilliseconds: 60_000 };
  test.each([
    ['frees the memory of each chunk once it was taken', { pace }, 0],
    ['does not where the body is here already, and may be read again', {}, 70_000],
  ])('over a socket %s', async (_, limits, left) => {
    const chunks = [Buffer.alloc(70_000), Buffer.alloc(70_000)];
    const whenTaken: number[] = [];
    await receiveBody(Readable.from(chunks), ({ length }) => void whenTaken.push(length), limits);
    expect(whenTaken).toEqual([70_000, 70_000]);
    expect(chunks.map(({ length }) => length)).toEqual([left, left]);
  });

  test('keeps memory that its chunks share with others', async () => {
    const whole = Buffer.alloc(100, 'x');
    await receiveBody(Readable.from([whole.subarray(1), whole.subarray(0, 99)]), () => undefined, { pace });
    expect(String(whole)).toBe('x'.repeat(100));
  });

  test.each([
    ['at the limit passes', [60, 40], undefined],
    ['over the limit is refused', [60, 41], 413],
  ])('%s', async (_, lengths, status) => {
    const read = receiveBody(chunksOf(...lengths), () => undefined, { bytes: 100 });
    if (status === undefined) await read;
    else await expect(read).rejects.toMatchObject({ status });
  });

  test.each<[string, (body: PassThrough) => void]>([
    ['breaks', (body) => body.destroy(new Error('aborted'))],
    ['closes without an error', (body) => body.destroy()],
  ])('that %s was cut off, even during backpressure', async (_, end) => {
    for (const room of [undefined, new Promise<void>(() => undefined)]) {
      const body = new PassThrough();
      const read = receiveBody(body, () => room);
      body.write('x');
      await turns();
      end(body);
      await expect(read).rejects.toMatchObject({
        status: 400,
        message: 'The request ended before its body was complete',
      });
    }
  });

  test('that is refused keeps its other bytes for the code that responds', async () => {
    const refusal = new Error('no');
    const body = new PassThrough();
    let taken = 0;
    const read = receiveBody(body, () => {
      taken += 1;
      throw refusal;
    });
    body.write('a');
    body.write('b');
    await expect(read).rejects.toBe(refusal);
    await turns();
    expect([taken, body.destroyed, body.isPaused()]).toEqual([1, false, true]);
    expect(String(body.read())).toBe('b');
    expect(taken).toBe(1);
  });

  test('that is gone before anybody reads it was cut off', async () => {
    const body = new PassThrough();
    body.destroy();
    await turns();
    const late = turns().then(() => 'still waits');
    await expect(Promise.race([receiveBody(body, () => undefined), late])).rejects.toThrow(
      'ended before its body was complete',
    );
  });

  test('that was cut off stays paused when there is room again', async () => {
    const { promise: room, resolve: makeRoom } = Promise.withResolvers<void>();
    const body = new PassThrough();
    const read = receiveBody(body, () => room);
    body.write('x');
    await turns();
    body.destroy();
    await expect(read).rejects.toThrow('ended before its body was complete');
    makeRoom();
    await turns();
    expect(body.isPaused()).toBe(true);
  });
});
