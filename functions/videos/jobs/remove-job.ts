import { Conflict } from '../../http/errors.ts';
import type { Job } from './job.ts';
import type { JobStore } from './job-store.ts';

export interface RemoveJobPorts {
  readonly jobs: Pick<JobStore, 'removeRequest' | 'remove'>;
  /** Removes the job's results and inputs. */
  readonly removeObjects: (job: Job) => Promise<void>;
  /** Removes the private log of the job. */
  readonly removeLog: (job: Job) => Promise<void>;
}

/**
 * Deletes an ended job. Its row is removed last: after a crash the job is still there, and deleting it again completes
 * the work.
 * @throws Conflict while it has not ended
 */
export async function removeJob(job: Job, { jobs, removeObjects, removeLog }: RemoveJobPorts): Promise<void> {
  if (job.phase !== 'settled') {
    throw new Conflict(
      `The job has not ended (${job.status}); cancel it or wait for it to end before you delete it`,
    );
  }
  await removeObjects(job);
  // A job is logged only while its request is there, so no log can be written after this one is removed.
  await jobs.removeRequest(job.id);
  await removeLog(job);
  await jobs.remove(job.id);
}
