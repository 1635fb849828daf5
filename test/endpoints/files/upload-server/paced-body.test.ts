import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { pacedBody } from '../../../../functions/endpoints/files/upload-server/paced-body.ts';
import { UPLOAD_PACE } from '../../../../functions/fair-shares.ts';
import { InvalidRequest } from '../../../../functions/http/errors.ts';

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
});
afterEach(() => {
  jest.useRealTimers();
});

const { bytesPerSecond, graceMilliseconds } = UPLOAD_PACE;
const flowing = () => new Promise((resolve) => setImmediate(resolve));

/** A body of which so much comes each second, read at once or not at all. */
async function send(bytesEachSecond: readonly number[], { isRead = true } = {}) {
  const source = new PassThrough({ highWaterMark: 1_000_000 });
  const body = pacedBody(source, UPLOAD_PACE);
  let failure: Error | undefined;
  body.on('error', (error) => {
    failure = error;
  });
  if (isRead) body.resume();
  for (const bytes of bytesEachSecond) {
    if (bytes > 0) source.write(Buffer.alloc(bytes));
    await flowing();
    jest.advanceTimersByTime(1_000);
    await flowing();
  }
  return { failure, source, body };
}

const seconds = (count: number, bytes: number) => Array<number>(count).fill(bytes);
const GRACE = graceMilliseconds / 1000;

describe('a body', () => {
  test.each([
    ['nothing until the grace is over', seconds(GRACE - 1, 0), false],
    ['nothing for as long as the grace', seconds(GRACE, 0), true],
    ['a byte a second', seconds(GRACE, 1), true],
    ['exactly the pace', seconds(3 * GRACE, bytesPerSecond), false],
    ['one byte less, over all', [bytesPerSecond - 1, ...seconds(3 * GRACE, bytesPerSecond)], true],
    ['much at first, and then nothing for a while', [20 * bytesPerSecond, ...seconds(19, 0)], false],
    ['much at first, and then nothing for too long', [20 * bytesPerSecond, ...seconds(20, 0)], true],
  ])('of which comes %s', async (_, bytes, isCutOff) => {
    const { failure, source } = await send(bytes);
    expect(failure instanceof InvalidRequest).toBe(isCutOff);
    // The answer goes out over it.
    expect(source.destroyed).toBe(false);
  });

  test('that waits for us is not late', async () => {
    const { failure } = await send([200_000, ...seconds(100, 0)], { isRead: false });
    expect(failure).toBeUndefined();
  });

  test('leaves no timer behind', async () => {
    const { source, body } = await send([100]);
    source.end();
    await new Promise((resolve) => body.once('close', resolve));
    expect(jest.getTimerCount()).toBe(0);
  });

  test('leaves none behind where nobody reads it to its end either', async () => {
    const { source } = await send([200_000], { isRead: false });
    source.destroy();
    await flowing();
    expect(jest.getTimerCount()).toBe(0);
  });

  test('of a connection that is gone fails at once', async () => {
    const source = new PassThrough();
    source.destroy();
    const body = pacedBody(source, UPLOAD_PACE);
    expect(body.destroyed).toBe(true);
    await flowing();
    expect(jest.getTimerCount()).toBe(0);
  });
});
