import type { Pace } from '../../fair-shares.ts';
import { InvalidRequest } from '../../http/errors.ts';

/**
 * Fails where a body comes too slowly, because it holds a place meanwhile. Only the time counts in which we wait for
 * its sender.
 *
 * @param received the bytes so far, or undefined while the sender waits for us
 * @returns the timer, to be cleared when the body has come
 */
export function watchPace(
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
    `The body came too slowly: after ${graceMilliseconds / 1000} s it must arrive at ${bytesPerSecond} bytes a second or more`,
  );
