import * as v from 'valibot';
import type { Log } from '../../log.ts';
import type { JobQueue } from './job-queue.ts';

/** Past the poller's own time-out, so that a slow worker is not mistaken for a lost message. */
export const GRACE_MILLISECONDS = 90_000;

/** What the index of due rows holds of a job. */
export const overdueJobSchema = v.object({
  id: v.string(),
  workspace_id: v.string(),
  seq: v.number(),
  link: v.exactOptional(v.string()),
});

/** Sends again the message of a job whose chain has stopped. There should be none: each is logged. */
export async function sweepJob(
  { id, workspace_id, seq, link }: v.InferOutput<typeof overdueJobSchema>,
  { jobQueue, log }: { readonly jobQueue: JobQueue; readonly log: Log },
): Promise<void> {
  log.warn('job was overdue', { job_id: id });
  await jobQueue.send({ v: 1, job_id: id, seq, ...(link === undefined ? {} : { link }) }, workspace_id, 0);
}
