import type { Readable } from 'node:stream';
import type { Pace } from '../../fair-shares.ts';
import { InvalidRequest, PayloadTooLarge } from '../../http/errors.ts';
import { LARGEST_BODY, LARGEST_FILE, tooLarge } from '../size-limits.ts';

interface BodyLimits {
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
export function receiveBody(
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
  const onCut = (cause?: unknown) =>
    reject(new InvalidRequest('The request ended before its body was complete', { cause }));
  // What waits for us to take it is not late.
  const timer = pace && watchPace(pace, () => (body.isPaused() ? undefined : received), fail);
  body.on('data', onData).once('end', resolve).once('error', onCut).once('close', onCut);
  // It would never speak again.
  if (body.destroyed) onCut();
  return promise.finally(stop);
}

/**
 * Fails where a body comes too slowly, because it holds a place meanwhile. Only the time counts in which we wait for
 * its sender.
 *
 * @param received the bytes so far, or undefined while the sender waits for us
 * @returns the timer, to be cleared when the body has come
 */
function watchPace(
  pace: Pace,
  received: () => number | undefined,
  fail: (reason: InvalidRequest) => void,
): NodeJS.Timeout {
  let waited = 0;
  return setInterval(() => {
    const bytes = received();
    if (bytes === undefined) return;
    waited += pace.checkMilliseconds;
    const isDue = waited >= pace.graceMilliseconds;
    if (isDue && bytes < (pace.bytesPerSecond * waited) / 1000) fail(tooSlow(pace));
  }, pace.checkMilliseconds);
}

const tooSlow = ({ bytesPerSecond, graceMilliseconds }: Pace): InvalidRequest =>
  new InvalidRequest(
    `The body arrived too slowly: after ${graceMilliseconds / 1000} s, the average must be at least ${bytesPerSecond} bytes per second`,
  );

/**
 * Frees the memory of a chunk now, where the garbage collector would let dozens of megabytes add up first. So the next
 * chunk gets the same memory while it is still in the CPU's cache. Every view of the chunk is empty from then on.
 */
function freeMemory({ buffer, byteLength }: Buffer<ArrayBuffer>): void {
  // Small chunks of Node.js share their memory with others.
  if (buffer.byteLength === byteLength) buffer.transfer(0);
}
