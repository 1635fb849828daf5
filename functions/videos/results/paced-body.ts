import { ResultUnavailable } from './result-unavailable.ts';

export interface ResultPace {
  readonly bytesPerSecond: number;
  /** How long a body may take to come up to it. */
  readonly graceMilliseconds: number;
  /** How long a result that did not is left alone. */
  readonly restSeconds: number;
}

/**
 * A body that must keep a pace, because a copier waits for it. Only the time counts in which the copier waits for bytes,
 * not the time in which it stores them.
 * @throws ResultUnavailable when the body comes too slowly
 */
export async function* pacedBody(
  body: AsyncIterable<Uint8Array>,
  { bytesPerSecond, graceMilliseconds, restSeconds }: ResultPace,
  now: () => Date,
): AsyncGenerator<Uint8Array> {
  let received = 0;
  let waited = 0;
  let asked = now().getTime();
  for await (const chunk of body) {
    waited += now().getTime() - asked;
    received += chunk.byteLength;
    const isDue = waited >= graceMilliseconds;
    if (isDue && received < (bytesPerSecond * waited) / 1000) {
      throw new ResultUnavailable('The provider’s result came too slowly', {
        retryAfterSeconds: restSeconds,
      });
    }
    yield chunk;
    asked = now().getTime();
  }
}
