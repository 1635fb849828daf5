import type { Readable } from 'node:stream';
import type { Pace } from '../../fair-shares.ts';
import { InvalidRequest, PayloadTooLarge } from '../../http/errors.ts';
import { freeMemory } from './free-memory.ts';
import { watchPace } from './pace.ts';
import { LARGEST_BODY, LARGEST_FILE, tooLarge } from './size-limits.ts';

export interface BodyLimits {
  readonly bytes?: number;
  /** Of a body that comes over a socket; absent where it is here already. */
  readonly pace?: Pace | undefined;
}

/**
 * Hands a request's body to `take` as it comes, and lets it wait for as long as a promise of `take` does. `take` copies
 * what it keeps: the memory of a chunk that came over a socket is freed once `take` has returned. A length
 * may be absent, or a lie: the bytes are counted. A failure leaves the body paused, for on a socket it must still
 * carry the answer.
 *
 * @throws InvalidRequest when the body ends before its time or comes too slowly, PayloadTooLarge, or what `take` throws
 */
export function readBody(
  body: Readable,
  take: (chunk: Buffer) => Promise<void> | undefined,
  { bytes = LARGEST_BODY, pace }: BodyLimits = {},
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let received = 0;
  let isReading = true;
  const stop = () => {
    isReading = false;
    clearInterval(timer);
    body.off('data', onData).pause();
  };
  const fail = (error: unknown) => {
    stop();
    reject(error);
  };
  const onData = (chunk: Buffer<ArrayBuffer>) => {
    try {
      received += chunk.length;
      if (received > bytes) throw new PayloadTooLarge(tooLarge(LARGEST_FILE));
      const room = take(chunk);
      // Nobody else has the chunks of a socket.
      if (pace !== undefined) freeMemory(chunk);
      if (room !== undefined) body.pause();
      room?.then(() => isReading && body.resume());
    } catch (error) {
      fail(error);
    }
  };
  const onCut = (cause?: unknown) => reject(new InvalidRequest('The request was cut off', { cause }));
  // What waits for us to take it is not late.
  const timer = pace && watchPace(pace, () => (body.isPaused() ? undefined : received), fail);
  body.on('data', onData).once('end', resolve).once('error', onCut).once('close', onCut);
  // It would never speak again.
  if (body.destroyed) onCut();
  return promise.finally(stop);
}
