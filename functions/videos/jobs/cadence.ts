import type { Job } from './job.ts';
import { LINK_SECONDS } from './job-machine.ts';

/** The longest delay of SQS. */
export const LONGEST_DELAY_SECONDS = 900;
const LONGEST_SUBMIT_DELAY = 20;

/**
 * How long to wait before the next poll. Most clips take one to two minutes, so the first half minute is polled closely
 * and the rest less and less. A provider's own wish wins.
 */
export function pollDelay(polls: number, wished: number | undefined): number {
  return within(wished ?? usualPollDelay(polls));
}

/** How long a lost callback can delay an end. */
const CALLED_DELAY_SECONDS = 60;

/** After a poll of a job that still runs. One whose provider calls when it has finished is asked about seldom, until it has. */
export function nextPollDelay({ polls, calls_back, callbacks = 0 }: Job, wished: number | undefined): number {
  const isAwaited = calls_back === 'reliably' && callbacks === 0;
  return isAwaited ? within(Math.max(wished ?? 0, CALLED_DELAY_SECONDS)) : pollDelay(polls, wished);
}

/** After a failed poll: never sooner than usual, whatever the provider asks for. */
export function failedPollDelay(polls: number, wished = 0): number {
  return within(Math.max(wished, usualPollDelay(polls)));
}

const usualPollDelay = (polls: number) => (polls < 2 ? 2 : polls < 7 ? 5 : polls < 19 ? 10 : 25);

/**
 * When the next step of a job is due, in milliseconds since the epoch. Most polls are not written: those since the latest
 * written one are taken to have come at the usual pace.
 */
export function nextStepAt({ phase, due_at, updated_at, polls }: Job, now: Date): number {
  let at = Date.parse(updated_at);
  if (phase !== 'polling' || due_at > at + LINK_SECONDS * 1000) return due_at;
  for (let before = polls - 1; at <= now.getTime() && at < due_at; before++)
    at += usualPollDelay(before) * 1000;
  return Math.min(at, due_at);
}

/** Doubles with each submit of the job, and is at least what the provider asks for. `random` is in [0, 1). */
export function submitDelay(submits: number, wished: number | undefined, random: () => number): number {
  const ours = Math.min(LONGEST_SUBMIT_DELAY, 2 ** (submits - 1));
  return putOffDelay(Math.max(ours, wished ?? 0), random);
}

/** Spread over half as long again, so that jobs put off together do not come back together. `random` is in [0, 1). */
export const putOffDelay = (seconds: number, random: () => number): number =>
  within(Math.max(1, seconds) * (1 + random() / 2));

const within = (seconds: number) => Math.min(LONGEST_DELAY_SECONDS, Math.max(1, Math.ceil(seconds)));
