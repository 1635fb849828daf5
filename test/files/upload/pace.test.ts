import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { UPLOAD_PACE } from '../../../functions/fair-shares.ts';
import { receiveBody } from '../../../functions/files/upload/receive-body.ts';
import { InvalidRequest } from '../../../functions/http/errors.ts';

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
});
afterEach(() => {
  jest.useRealTimers();
});

const { bytesPerSecond, graceMilliseconds } = UPLOAD_PACE;
const flowing = () => new Promise((resolve) => setImmediate(resolve));

/** Sends this many bytes in each second. The reader takes them at once, or never. */
async function send(bytesEachSecond: readonly number[], { isTaken = true } = {}) {
  const source = new PassThrough({ highWaterMark: 1_000_000 });
  let failure: unknown;
  const never = new Promise<void>(() => undefined);
  const read = receiveBody(source, () => (isTaken ? undefined : never), { pace: UPLOAD_PACE });
  read.catch((error: unknown) => {
    failure = error;
  });
  for (const bytes of bytesEachSecond) {
    if (bytes > 0) source.write(Buffer.alloc(bytes));
    await flowing();
    jest.advanceTimersByTime(1_000);
    await flowing();
  }
  return { failure, source, read };
}

const seconds = (count: number, bytes: number) => Array<number>(count).fill(bytes);
const GRACE = graceMilliseconds / 1000;

describe('a body', () => {
  test.each([
    ['nothing until the grace is over', seconds(GRACE - 1, 0), false],
    ['nothing even after the grace', seconds(GRACE, 0), true],
    ['a byte a second', seconds(GRACE, 1), true],
    ['exactly the pace', seconds(3 * GRACE, bytesPerSecond), false],
    ['one byte less than the pace in all', [bytesPerSecond - 1, ...seconds(3 * GRACE, bytesPerSecond)], true],
    ['much at first, and then nothing for a while', [20 * bytesPerSecond, ...seconds(19, 0)], false],
    ['much at first, and then nothing for too long', [20 * bytesPerSecond, ...seconds(20, 0)], true],
  ])('that delivers %s', async (_, bytes, isCutOff) => {
    const { failure, source } = await send(bytes);
    expect(failure instanceof InvalidRequest).toBe(isCutOff);
    if (isCutOff) {
      expect(failure).toMatchObject({
        message: `The body arrived too slowly: after ${GRACE} s, the average must be at least ${bytesPerSecond} bytes per second`,
      });
    }
    // The connection is still needed for the answer.
    expect(source.destroyed).toBe(false);
  });

  test('that waits for us is not late', async () => {
    const { failure } = await send([200_000, ...seconds(100, 0)], { isTaken: false });
    expect(failure).toBeUndefined();
  });

  test('is not late for the time in which it waited for us, once it goes on', async () => {
    const source = new PassThrough({ highWaterMark: 1_000_000 });
    const { promise: room, resolve: makeRoom } = Promise.withResolvers<void>();
    let taken = 0;
    const read = receiveBody(source, () => (taken++ === 0 ? room : undefined), { pace: UPLOAD_PACE });
    source.write(Buffer.alloc(bytesPerSecond));
    await flowing();
    for (let second = 0; second < 100; second++) jest.advanceTimersByTime(1_000);
    makeRoom();
    for (let second = 0; second < 2 * GRACE; second++) {
      source.write(Buffer.alloc(bytesPerSecond));
      await flowing();
      jest.advanceTimersByTime(1_000);
    }
    source.end();
    await expect(read).resolves.toBeUndefined();
    expect(taken).toBe(1 + 2 * GRACE);
  });

  test('leaves no timer behind', async () => {
    const { source, read } = await send([100]);
    source.end();
    await read;
    expect(jest.getTimerCount()).toBe(0);
  });

  test('of a connection that is gone leaves none behind either', async () => {
    const { source, read } = await send([100], { isTaken: false });
    source.destroy();
    await expect(read).rejects.toThrow('ended before its body was complete');
    expect(jest.getTimerCount()).toBe(0);
  });
});
