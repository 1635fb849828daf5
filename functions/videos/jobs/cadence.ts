import { type Job, leaseEnd } from './job.ts';

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

/** Whether the provider will probably call when it has finished, and has not yet. */
const isAwaited = ({ calls_back, callbacks = 0 }: Pick<Job, 'calls_back' | 'callbacks'>): boolean =>
  calls_back === 'reliably' && callbacks === 0;

/** How long a lost callback can delay an end. */
const CALLED_DELAY_SECONDS = 60;

/** After a poll of a job that still runs. One whose provider calls when it has finished is asked about seldom, until it has. */
export const nextPollDelay = (job: Job, wished: number | undefined): number =>
  isAwaited(job) ? within(Math.max(wished ?? 0, CALLED_DELAY_SECONDS)) : pollDelay(job.polls, wished);

const LINK_SECONDS = 60;

/** Polls a minute apart would each be the last of such a link. The callback makes up for a lost message before it ends. */
const CALLED_LINK_SECONDS = 300;

/**
 * How long polls follow each other under one link. Only the last writes the row anyway, with a new link. The sweeper
 * notices a lost message up to so much later, and a copied one has polls of its own for up to so long.
 */
export const linkSeconds = (job: Pick<Job, 'calls_back' | 'callbacks'>): number =>
  isAwaited(job) ? CALLED_LINK_SECONDS : LINK_SECONDS;

/** After a failed poll: never sooner than usual, whatever the provider asks for. */
export function failedPollDelay(polls: number, wished = 0): number {
  return within(Math.max(wished, usualPollDelay(polls)));
}

const usualPollDelay = (polls: number) => (polls < 2 ? 2 : polls < 7 ? 5 : polls < 19 ? 10 : 25);

/**
 * When the next step of a job is due, in milliseconds since the epoch. Most polls are not written: those since the latest
 * written one are taken to have come at the usual pace.
 */
export function nextStepAt(job: Job, now: Date): number {
  const { phase, due_at, updated_at, polls } = job;
  const written = Date.parse(updated_at);
  if (phase !== 'polling') return Math.max(due_at, leaseEnd(job));
  if (due_at > written + linkSeconds(job) * 1000) return due_at;
  const pace = (before: number) =>
    before < 0 ? usualPollDelay(before) : nextPollDelay({ ...job, polls: before }, undefined);
  return nextPollAt({ from: written, polls, until: due_at }, pace, now);
}

/**
 * When a caller's next look is useful. A callback may come at any time: a caller who waits for one looks as often as the
 * provider would be asked without it.
 */
export function nextLookAt(job: Job, now: Date): number {
  const begun = job.history.find(({ status }) => status === 'in_progress');
  if (job.phase !== 'polling' || begun === undefined || !isAwaited(job)) return nextStepAt(job, now);
  return nextPollAt({ from: Date.parse(begun.at), polls: 0, until: job.deadline_at }, usualPollDelay, now);
}

interface Polls {
  /** The time of the latest known poll, and its number. */
  readonly from: number;
  readonly polls: number;
  readonly until: number;
}

function nextPollAt({ from, polls, until }: Polls, pace: (polls: number) => number, now: Date): number {
  let at = from;
  for (let before = polls - 1; at <= now.getTime() && at < until; before++) at += pace(before) * 1000;
  return Math.min(at, until);
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
