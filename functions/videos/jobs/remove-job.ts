import { Conflict } from '../../http/errors.ts';
import type { Job } from './job.ts';
import type { JobStore } from './job-store.ts';

export interface RemoveJobPorts {
  readonly jobs: Pick<JobStore, 'removeRequest' | 'remove'>;
  /** Removes what the job has stored beside its row: its results and its inputs. */
  readonly removeObjects: (job: Job) => Promise<void>;
  /** Removes what was logged of it. */
  readonly removeLog: (job: Job) => Promise<void>;
}

/**
 * Deletes an ended job. Its row goes last: after a crash in between it is still there, and deleting again
 * completes it.
 * @throws Conflict while it has not ended
 */
export async function removeJob(job: Job, { jobs, removeObjects, removeLog }: RemoveJobPorts): Promise<void> {
  if (job.phase !== 'settled') {
    throw new Conflict(`The video is ${job.status}; cancel it, or let it end, before it is deleted`);
  }
  await removeObjects(job);
  // It is logged only while its request is there: after this, no log follows the one that goes now.
  await jobs.removeRequest(job.id);
  await removeLog(job);
  await jobs.remove(job.id);
}
