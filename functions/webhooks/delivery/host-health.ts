/** What is known of a host from one workspace's events since it last took one. */
export interface Streak {
  /** Of the first failure, in milliseconds since the epoch. */
  readonly failingSince: number;
  readonly failures: number;
  /** Times of the latest failures, oldest first: at least ten where there were ten. */
  readonly latest: readonly number[];
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export const CIRCUIT_FAILURES = 10;
const CIRCUIT_WINDOW = 10 * MINUTE;

const DEAD_FAILURES = 20;
const DEAD_AFTER = 5 * DAY;

/** Ten failures in a row within the last ten minutes: a new event is not tried at once, only by its schedule. */
export function isCircuitOpen(streak: Streak | undefined, now: Date): boolean {
  const tenth = streak?.latest.at(-CIRCUIT_FAILURES);
  return tenth !== undefined && now.getTime() - tenth <= CIRCUIT_WINDOW;
}

/** Five days without a success, and not for want of trying. */
export function isDead({ failingSince, failures }: Streak, now: Date): boolean {
  return failures >= DEAD_FAILURES && now.getTime() - failingSince >= DEAD_AFTER;
}
