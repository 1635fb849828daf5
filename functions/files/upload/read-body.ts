import type { Readable } from 'node:stream';
import { InvalidRequest, PayloadTooLarge } from '../../http/errors.ts';
import { LARGEST_BODY, LARGEST_FILE, tooLarge } from './size-limits.ts';

/**
 * Hands a request's body to `take` as it comes, and lets it wait for as long as a promise of `take` does. A length
 * may be absent, or a lie: the bytes are counted. A failure leaves the body paused, for on a socket it must still
 * carry the answer.
 *
 * @throws InvalidRequest when the body ends before its time, PayloadTooLarge, or what `take` throws
 */
export function readBody(
  body: Readable,
  take: (chunk: Buffer) => Promise<void> | undefined,
  limit = LARGEST_BODY,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let left = limit;
  let isReading = true;
  const stop = () => {
    isReading = false;
    body.off('data', onData).pause();
  };
  const onData = (chunk: Buffer) => {
    try {
      left -= chunk.length;
      if (left < 0) throw new PayloadTooLarge(tooLarge(LARGEST_FILE));
      const room = take(chunk);
      if (room !== undefined) body.pause();
      room?.then(() => isReading && body.resume());
    } catch (error) {
      stop();
      reject(error);
    }
  };
  const onCut = (cause?: unknown) => reject(new InvalidRequest('The request was cut off', { cause }));
  body.on('data', onData).once('end', resolve).once('error', onCut).once('close', onCut);
  // It would never speak again.
  if (body.destroyed) onCut();
  return promise.finally(stop);
}
