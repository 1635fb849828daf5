/**
 * A token bucket, kept as one number: the moment at which it will be full again. It holds a minute's worth
 * of tokens and fills evenly; a bucket that is full already may as well have been full for ever.
 *
 * Moments are in microseconds since the epoch, so that a token's share of a minute is a whole number.
 */
export interface Rate {
  readonly perMinute: number;
}

const MINUTE = 60_000_000;

export const microseconds = (at: Date): number => at.getTime() * 1000;

/** How long one token takes to fill in. Rounded up: a bucket may give a little less than its rate, never more. */
export const tokenTime = ({ perMinute }: Rate): number => Math.ceil(MINUTE / perMinute);

/** A bucket that would be full later than this has no whole token. */
export const latestFull = (rate: Rate, now: number): number => now + (rate.perMinute - 1) * tokenTime(rate);

/** No bucket takes longer than two minutes to fill; this leaves as much again for clocks that differ. */
const PLAUSIBLE = 5 * MINUTE;

/** A bucket that is to be full later than this was last written by a clock that is wrong. */
export const latestPlausible = (now: number): number => now + PLAUSIBLE;

/** Tokens left in a bucket that is full at `fullAt`. */
export function tokensLeft(rate: Rate, fullAt: number, now: number): number {
  const missing = Math.ceil(Math.max(0, fullAt - now) / tokenTime(rate));
  return Math.max(0, rate.perMinute - missing);
}
