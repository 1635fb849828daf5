import * as v from 'valibot';
import type { FairQueue } from '../../aws/fair-queue.ts';

/**
 * A message names a job and a link of its chain; everything else is read from the job's row. Messages of
 * versions before links had names have none.
 */
export const jobMessageSchema = v.object({
  v: v.literal(1),
  job_id: v.string(),
  seq: v.pipe(v.number(), v.integer(), v.minValue(0)),
  link: v.exactOptional(v.string()),
});
export type JobMessage = v.InferOutput<typeof jobMessageSchema>;

export type JobQueue = FairQueue<JobMessage>;
