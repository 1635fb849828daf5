import { retryOnConflict } from '../../aws/retry.ts';
import { Conflict, NotFound } from '../../http/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Job } from '../jobs/job.ts';
import { CANCELLED } from '../jobs/job-failure.ts';
import { EndToldAlready, JobMoved, type JobSteps, type SettlePorts, settleJob } from '../jobs/job-steps.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { ProviderContext } from '../providers/provider.ts';
import { type MovingJob, type PlacePorts, placeOf } from './moving-job.ts';

export interface CancelPorts extends SettlePorts, CancelUpstreamPorts {
  readonly jobs: Pick<JobStore, 'find'>;
  readonly steps: Pick<JobSteps, 'settle' | 'requestCancel'>;
}

/** A worker moves a job every few seconds at most, so this many meetings in a row do not happen. */
const ATTEMPTS = 5;

/**
 * Cancels a job: at once where no provider has it, otherwise as soon as its provider confirms. Until then the job keeps
 * its status and its hold, because what the provider makes meanwhile must be paid for.
 *
 * @returns the job, `cancelled`, or with `cancel_requested_at` until the provider confirms
 * @throws Conflict when the job has ended, or when its provider cannot cancel
 */
export async function cancelJob(read: Job, ports: CancelPorts): Promise<Job> {
  let job = read;
  const attempt = async () => {
    try {
      return await tryToCancel(job, ports);
    } catch (error) {
      if (error instanceof EndToldAlready) throw endedAlready(error);
      if (!(error instanceof JobMoved)) throw error;
      const moved = await ports.jobs.find(job.id);
      if (moved === undefined) throw new NotFound('No such video job', { cause: error });
      job = moved;
      return undefined;
    }
  };
  const exhausted = () =>
    new Error(`the job ${read.id} moved ${ATTEMPTS} times while it was being cancelled`);
  return retryOnConflict(ATTEMPTS, attempt, exhausted);
}

/** @throws JobMoved when a worker was faster */
async function tryToCancel(job: Job, ports: CancelPorts): Promise<Job> {
  switch (job.phase) {
    case 'settled':
      throw new Conflict(`The video is ${job.status}; it can no longer be cancelled`);
    case 'queued':
      return job.may_be_taken === true ? askLater(job, ports) : settleJob(job, CANCELLED, ports);
    case 'submitting':
      return askLater(job, ports);
    case 'polling':
      return cancelAtProvider(job, ports);
    case 'made':
    case 'copying':
      throw cannotCancel();
  }
}

async function cancelAtProvider(job: Job, ports: CancelPorts): Promise<Job> {
  switch (await cancelUpstream(job, ports)) {
    case 'cancelled':
      return settleJob(job, CANCELLED, ports);
    case 'not_possible':
      throw cannotCancel();
    case 'requested':
    case 'unanswered':
      return ports.steps.requestCancel(job, ports.now());
  }
}

/** A provider may have it, but nobody knows under which name: it is asked to cancel once it has answered. */
async function askLater(job: Job, ports: CancelPorts): Promise<Job> {
  if (!(await takesBack(job, ports))) throw cannotCancel();
  return ports.steps.requestCancel(job, ports.now());
}

const takesBack = async (job: Job, ports: CancelPorts): Promise<boolean> =>
  (await placeOf(job, ports))?.provider.cancel !== undefined;

const endedAlready = (cause: EndToldAlready) =>
  new Conflict('This video has ended, and its webhook has been sent; it can no longer be cancelled', {
    cause,
  });

const cannotCancel = () =>
  new Conflict('The provider can no longer cancel this video. It goes on, and is billed if it completes', {
    metadata: { reason: 'cannot_cancel' },
  });

interface CancelUpstreamPorts extends PlacePorts {
  readonly providerContext: (provider: string, job: Job) => Promise<ProviderContext>;
  readonly log: Log;
}

/**
 * The outcome of asking a provider to cancel: `requested` if its next answer will tell, `not_possible` if it cannot
 * cancel, `unanswered` if it could not be asked.
 */
type Cancellation = 'cancelled' | 'requested' | 'not_possible' | 'unanswered';

/** Asks a provider to stop a job that it has accepted. */
export async function cancelUpstream(job: Job, ports: CancelUpstreamPorts): Promise<Cancellation> {
  const { id, ref } = job;
  const place = await placeOf(job, ports);
  if (place === undefined || ref === undefined) return 'not_possible';
  try {
    const { provider, providerName } = place;
    const context = await ports.providerContext(providerName, job);
    const outcome = (await provider.cancel?.(ref, context)) ?? 'not_possible';
    ports.log.info('asked the provider to cancel', { job_id: id, outcome });
    return outcome;
  } catch (error) {
    ports.log.warn('the provider could not be asked to cancel', { job_id: id, error });
    return 'unanswered';
  }
}

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
