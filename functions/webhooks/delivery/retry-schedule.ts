const SECOND = 1;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Seconds to wait before each attempt: eleven attempts over 75.6 hours. */
const DELAYS = [
  0,
  5 * SECOND,
  1 * MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
export const MAX_ATTEMPTS = DELAYS.length;

/** The longest delay of a queue. The sweeper finds events that wait longer when they are due. */
export const QUEUE_SECONDS = 900;

const JITTER = 0.15;
const LONGEST_RETRY_AFTER = 24 * HOUR;

/**
 * Seconds until the next attempt, or undefined when none is left. A receiver may ask for more time than the schedule
 * gives, up to a day. `random` is in [0, 1).
 */
export function nextDelay(
  attemptsMade: number,
  retryAfterSeconds: number | undefined,
  random: () => number,
): number | undefined {
  const scheduled = DELAYS[attemptsMade];
  if (scheduled === undefined) return undefined;
  const jittered = scheduled * (1 - JITTER + 2 * JITTER * random());
  return Math.max(jittered, Math.min(retryAfterSeconds ?? 0, LONGEST_RETRY_AFTER));
}

const FIRST_WAIT = 1 * SECOND;
const LONGEST_WAIT = 1 * MINUTE;

/**
 * Whole seconds until the event asks for a place in the lane again, spread over twice as long. They double each time,
 * so the longer the line, the more seldom an event asks.
 */
export function laneDelay(waits: number, random: () => number): number {
  const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** waits);
  return Math.ceil(wait * (1 + random()));
}
