import * as v from 'valibot';
import type { FairQueue } from '../../aws/fair-queue.ts';
import type { Job } from './job.ts';

/**
 * A message names a job and a link of its chain. Everything else is read from the job's row, but for what polls would
 * write only to count themselves. In messages of older versions links have no name.
 */
export const jobMessageSchema = v.object({
  v: v.literal(1),
  job_id: v.string(),
  seq: v.pipe(v.number(), v.integer(), v.minValue(0)),
  link: v.exactOptional(v.string()),
  /** The polls so far, where the row may not count all of them. Absent in messages of older versions, whose rows do. */
  polls: v.exactOptional(v.number()),
  /**
   * The submit whose work may have ended, by its number: the provider is asked now, whatever link the chain is at.
   * Absent in the messages of the chain.
   */
  hint: v.exactOptional(v.number()),
});
export type JobMessage = v.InferOutput<typeof jobMessageSchema>;

export type JobQueue = FairQueue<JobMessage>;

/** The queue for jobs in a phase; the pollers' for a phase that cannot be read. */
export type QueueOf = (phase: Job['phase'] | undefined) => JobQueue;

/** Consumers of their own hand jobs to providers, so that a slow submit delays nobody's poll. */
export const SUBMIT_PHASES: readonly Job['phase'][] = ['queued', 'submitting'];

/** Others copy results, which may take minutes. */
export const COPY_PHASES: readonly Job['phase'][] = ['made', 'copying'];

export interface JobQueues {
  readonly submits: JobQueue;
  readonly polls: JobQueue;
  readonly copies: JobQueue;
}

export const queueByPhase =
  ({ submits, polls, copies }: JobQueues): QueueOf =>
  (phase) => {
    if (phase === undefined) return polls;
    if (SUBMIT_PHASES.includes(phase)) return submits;
    return COPY_PHASES.includes(phase) ? copies : polls;
  };
