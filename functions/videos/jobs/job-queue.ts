import * as v from 'valibot';
import type { FairQueue } from '../../aws/fair-queue.ts';
import type { Job } from './job.ts';

/**
 * A message names a job and a link of its chain; everything else is read from the job's row. In messages of older
 * versions links have no name.
 */
export const jobMessageSchema = v.object({
  v: v.literal(1),
  job_id: v.string(),
  seq: v.pipe(v.number(), v.integer(), v.minValue(0)),
  link: v.exactOptional(v.string()),
});
export type JobMessage = v.InferOutput<typeof jobMessageSchema>;

export type JobQueue = FairQueue<JobMessage>;

/** The queue for jobs in a phase; the pollers' for a phase that cannot be read. */
export type QueueOf = (phase: Job['phase'] | undefined) => JobQueue;

/** Results are copied by consumers of their own, so that a slow copy delays nobody's poll. */
export const COPY_PHASES: readonly Job['phase'][] = ['made', 'copying'];

export const queueByPhase =
  (jobQueue: JobQueue, copyQueue: JobQueue): QueueOf =>
  (phase) =>
    phase !== undefined && COPY_PHASES.includes(phase) ? copyQueue : jobQueue;
