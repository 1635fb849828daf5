import { cancelUpstream } from './job-place.ts';
import type { MovingJob } from './moving-job.ts';

/** Ends a job that took too long, and stops what its provider still does for it. */
export async function expireJob(job: MovingJob): Promise<void> {
  const { copy_error } = job.row;
  const reason =
    copy_error === undefined
      ? 'The provider did not finish in time'
      : `The video could not be copied from the provider in time: ${copy_error}`;
  await job.settle({ type: 'expired', reason });
  await cancelUpstream(job.row, job.ports);
}
