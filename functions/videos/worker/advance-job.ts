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
  // A job that a provider has accepted is polled once more: it may be finished, and paid for.
  if (job.isOverdue && job.row.phase !== 'polling') return expireJob(job);
  return atProvider(job, isSubmitNext(job) ? 'submit' : 'poll', () => step(job));
}

/** If the provider can be asked about a submit without an answer, it is asked first. */
const isSubmitNext = ({ row, provider }: MovingJob) =>
  row.phase === 'queued' || (row.phase === 'submitting' && provider.resubmit !== 'lookup');

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
