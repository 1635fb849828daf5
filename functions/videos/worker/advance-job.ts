import type { JobMessage } from '../jobs/job-queue.ts';
import { atProvider } from './at-provider.ts';
import { expireJob } from './expire-job.ts';
import { moveJob } from './move-job.ts';
import type { MovingJob, MovingPorts } from './moving-job.ts';
import { pollJob } from './poll-job.ts';
import { resumeSubmit, submitQueued } from './submit-job.ts';

/** Takes a job one step further, until its provider has made the video. */
export const advanceJob = (message: JobMessage, ports: MovingPorts): Promise<void> =>
  moveJob(message, ports, ['queued', 'submitting', 'polling'], advance);

function advance(job: MovingJob): Promise<void> {
  if (job.isOverdue && !canBeAskedAbout(job)) return expireJob(job);
  return atProvider(job, isSubmitNext(job) ? 'submit' : 'poll', () => step(job));
}

/** The provider has the job, or can say whether it has. After the deadline it is asked once more: the video may be paid for. */
const canBeAskedAbout = ({ row, provider }: MovingJob) =>
  row.phase === 'polling' || (row.phase === 'submitting' && provider.resubmit === 'lookup');

const isSubmitNext = (job: MovingJob) => !canBeAskedAbout(job);

async function step(job: MovingJob): Promise<void> {
  switch (job.row.phase) {
    case 'queued':
      return submitQueued(job);
    case 'submitting':
      return resumeSubmit(job);
    case 'polling':
      return pollJob(job);
  }
}
