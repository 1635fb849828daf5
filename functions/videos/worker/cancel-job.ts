import { Conflict, NotFound } from '../../http/errors.ts';
import type { Job } from '../jobs/job.ts';
import { JobMoved } from '../jobs/job-steps.ts';
import type { JobStore } from '../jobs/job-store.ts';
import { type SettlePorts, settleJob } from '../jobs/settle-job.ts';
import { type CancelUpstreamPorts, cancelUpstream } from './cancel-upstream.ts';

export interface CancelPorts extends SettlePorts, CancelUpstreamPorts {
  readonly jobs: Pick<JobStore, 'find'>;
}

/** A worker moves a job every few seconds at most; this many meetings in a row do not happen. */
const ATTEMPTS = 5;

/**
 * Cancels a job of ours at once; at the provider as well as it can, afterwards. What is cancelled costs
 * nothing here, whatever the provider still makes.
 * @throws Conflict when the job has ended
 */
export async function cancelJob(read: Job, ports: CancelPorts): Promise<Job> {
  let job = read;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (job.phase === 'settled')
      throw new Conflict(`The video is ${job.status}; it can no longer be cancelled`);
    try {
      const cancelled = await settleJob(job, { type: 'cancelled', reason: 'Cancelled by the caller' }, ports);
      await cancelUpstream(job, ports);
      return cancelled;
    } catch (error) {
      if (!(error instanceof JobMoved)) throw error;
      const moved = await ports.jobs.find(job.id);
      if (moved === undefined) throw new NotFound('No such video job', { cause: error });
      job = moved;
    }
  }
  throw new Error(`the job ${job.id} moved ${ATTEMPTS} times while it was being cancelled`);
}
