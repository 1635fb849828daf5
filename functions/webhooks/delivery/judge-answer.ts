/** The outcome of one request: an answer, or the class of the failure. */
export type Answer =
  | {
      readonly status: number;
      readonly retryAfterSeconds?: number;
      /** The receiver wants no further attempt of this event. */
      readonly aborts: boolean;
    }
  | { readonly failure: RequestFailure };

export type RequestFailure =
  | 'timed_out'
  | 'connection_failed'
  | 'tls_failed'
  /** We do not send to it: an internal address, or one that has changed since. */
  | 'address_refused';

/** What follows from an answer; `isGone` when the receiver says that its address no longer exists. */
export type Verdict =
  | { readonly status: 'delivered' }
  | { readonly status: 'failed'; readonly isGone: boolean }
  | { readonly status: 'pending'; readonly delaySeconds: number; readonly refused: boolean };

/** A certificate or an address may be wrong for a moment, while somebody changes a name, but not for three days. */
const REFUSED_RETRY_SECONDS = 300;

/**
 * Whether an event is delivered, lost or to be tried again. Only a 2xx counts as delivered, a redirect does not.
 * `attempt` is the number of this one within its chain; `refusals` counts earlier ones to an address or certificate
 * that could not be trusted.
 */
export function judgeAnswer(
  answer: Answer,
  { attempt, refusals }: { readonly attempt: number; readonly refusals: number },
  random: () => number,
): Verdict {
  if ('failure' in answer) {
    const scheduled = nextDelay(attempt, undefined, random);
    const refused = answer.failure === 'tls_failed' || answer.failure === 'address_refused';
    if (!refused || scheduled === undefined) return retry(scheduled);
    return refusals > 0 ? lost(false) : retry(REFUSED_RETRY_SECONDS, true);
  }
  const { status, aborts, retryAfterSeconds } = answer;
  if (status >= 200 && status < 300) return { status: 'delivered' };
  if (status === 410) return lost(true);
  if (aborts) return lost(false);
  const asked = status === 429 || status === 503 ? retryAfterSeconds : undefined;
  return retry(nextDelay(attempt, asked, random));
}

/** What may be shown of an answer, and nothing else. */
export const outcomeOf = (answer: Answer): string =>
  'failure' in answer ? answer.failure : `${Math.floor(answer.status / 100)}xx`;

const lost = (isGone: boolean): Verdict => ({ status: 'failed', isGone });

function retry(delaySeconds: number | undefined, refused = false): Verdict {
  return delaySeconds === undefined ? lost(false) : { status: 'pending', delaySeconds, refused };
}

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
