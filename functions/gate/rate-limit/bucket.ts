/**
 * A token bucket, kept as one number: the moment at which it will be full again. It holds a minute's tokens and fills
 * evenly. For a full bucket it does not matter since when it is full.
 *
 * Moments are in microseconds since the epoch, so that one token's share of a minute is a whole number.
 */
export interface Rate {
  readonly perMinute: number;
}

const MINUTE = 60_000_000;

export const microseconds = (at: Date): number => at.getTime() * 1000;

/** How long one token takes to fill in. Rounded up: a bucket may give slightly less than its rate, never more. */
export const tokenTime = ({ perMinute }: Rate): number => Math.ceil(MINUTE / perMinute);

/** A bucket that would be full later than this has no whole token. */
export const latestFull = (rate: Rate, now: number): number => now + (rate.perMinute - 1) * tokenTime(rate);

/** A bucket fills within two minutes; the rest is for clocks that differ. */
const PLAUSIBLE = 5 * MINUTE;

/** A bucket that is full only later than this was written by a wrong clock. */
export const latestPlausible = (now: number): number => now + PLAUSIBLE;

/** Tokens left in a bucket that is full at `fullAt`. */
export function tokensLeft(rate: Rate, fullAt: number, now: number): number {
  const missing = Math.ceil(Math.max(0, fullAt - now) / tokenTime(rate));
  return Math.max(0, rate.perMinute - missing);
}
