import { describe, expect, test } from '@jest/globals';
import { readAtMost } from '../functions/byte-streams.ts';

/** A body of chunks of ten bytes. `seen` shows how many were read, and whether the rest was cancelled. */
function body(chunks: number) {
  const seen = { given: 0, isCancelled: false };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (seen.given === chunks) return controller.close();
        controller.enqueue(Buffer.alloc(10, 'a'));
        seen.given++;
      },
      cancel() {
        seen.isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, seen };
}

describe('a body', () => {
  test.each([
    [0, 30, 0],
    [3, 30, 30],
    [3, 1_000, 30],
  ])('of %i chunks, read to %i bytes, is read whole', async (chunks, most, bytes) => {
    const { stream, seen } = body(chunks);
    expect(await readAtMost(stream, most)).toEqual(Buffer.alloc(bytes, 'a'));
    expect(seen.isCancelled).toBe(false);
  });

  test.each([
    [3, 29, 3],
    [1_000, 29, 3],
    [1_000, 0, 1],
  ])('of %i chunks, read to %i bytes, is abandoned after chunk %i', async (chunks, most, read) => {
    const { stream, seen } = body(chunks);
    expect(await readAtMost(stream, most)).toBeUndefined();
    expect(seen).toEqual({ given: read, isCancelled: true });
  });

  test('that is missing reads as empty', async () => {
    expect(await readAtMost(null, 0)).toEqual(Buffer.alloc(0));
  });

  test('that breaks off fails with its error', async () => {
    const cause = new Error('reset');
    async function* broken() {
      yield Buffer.from('a');
      throw cause;
    }
    await expect(readAtMost(broken(), 10)).rejects.toBe(cause);
  });
});
