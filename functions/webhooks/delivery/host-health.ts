/** A host's failures in a row with one workspace's events, since it last took one. */
export interface Streak {
  /** The time of the first failure, in milliseconds since the epoch. */
  readonly failingSince: number;
  readonly failures: number;
  /** The times of the latest failures, oldest first: ten at least, where there were so many. */
  readonly latest: readonly number[];
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export const CIRCUIT_FAILURES = 10;
const CIRCUIT_WINDOW = 10 * MINUTE;

const DEAD_FAILURES = 20;
const DEAD_AFTER = 5 * DAY;

/** After ten failures in a row within the last ten minutes, a new event is not tried at once, only by its schedule. */
export function isCircuitOpen(streak: Streak | undefined, now: Date): boolean {
  const tenth = streak?.latest.at(-CIRCUIT_FAILURES);
  return tenth !== undefined && now.getTime() - tenth <= CIRCUIT_WINDOW;
}

/** Five days without a success, and with many attempts. */
export function isDead({ failingSince, failures }: Streak, now: Date): boolean {
  return failures >= DEAD_FAILURES && now.getTime() - failingSince >= DEAD_AFTER;
}
