/**
 * How long to wait before the next poll: most clips take one to two minutes, so the first half minute is
 * looked at closely and the rest ever less so. A provider's own wish wins, within what SQS can delay.
 */
const SQS_LONGEST_DELAY = 900;

export function pollDelay(polls: number, wished: number | undefined): number {
  const ours = polls < 2 ? 2 : polls < 7 ? 5 : polls < 19 ? 10 : 25;
  return within(wished ?? ours);
}

/** Spread over half as long again, so that jobs put off together do not come back together. `random` is in [0, 1). */
export const putOffDelay = (seconds: number, random: () => number): number =>
  within(Math.max(1, seconds) * (1 + random() / 2));

const within = (seconds: number) => Math.min(SQS_LONGEST_DELAY, Math.max(1, Math.ceil(seconds)));

/** Full jitter, so that jobs put off together do not come back together. `random` is in [0, 1). */
export function submitDelay(submits: number, wished: number | undefined, random: () => number): number {
  if (wished !== undefined) return pollDelay(0, wished);
  const ceiling = Math.min(60, 2 ** Math.min(submits, 6));
  return 1 + Math.floor(random() * ceiling);
}
