import { retryOnConflict } from '../../aws/retry.ts';
import { Conflict, NotFound } from '../../http/errors.ts';
import type { Job } from '../jobs/job.ts';
import { CANCELLED } from '../jobs/job-failure.ts';
import { EndToldAlready, JobMoved, type JobSteps, type SettlePorts, settleJob } from '../jobs/job-steps.ts';
import type { JobStore } from '../jobs/job-store.ts';
import { cancelUpstream, prospectOf, type UpstreamPorts } from './cancel-upstream.ts';

export interface CancelPorts extends SettlePorts, UpstreamPorts {
  readonly jobs: Pick<JobStore, 'find'>;
  readonly steps: Pick<JobSteps, 'settle' | 'requestCancel'>;
}

/** A worker moves a job every few seconds at most, so this many meetings in a row do not happen. */
const ATTEMPTS = 5;

/**
 * Cancels a job: at once where no provider has it, otherwise as soon as its provider confirms. Until then the job keeps
 * its status and its hold, because what the provider makes meanwhile must be paid for.
 *
 * The wish is written before the provider is asked. So if the answer is lost, the next poll still knows why the
 * provider has stopped, and whoever cancels again gets the same answer.
 *
 * @returns the job, `cancelled`, or with `cancel_requested_at` until the provider confirms
 * @throws Conflict when the job has ended otherwise, or when its provider cannot cancel
 */
export async function cancelJob(read: Job, ports: CancelPorts): Promise<Job> {
  const { job, isToBeAsked } = await onNewest(read, ports, (newest) => wish(newest, ports));
  if (!isToBeAsked || (await cancelUpstream(job, ports)) !== 'cancelled') return job;
  return onNewest(job, ports, (newest) => confirm(newest, ports));
}

/** Tries until no worker is faster. */
async function onNewest<T>(read: Job, ports: CancelPorts, attempt: (newest: Job) => Promise<T>): Promise<T> {
  let job = read;
  const tryOnce = async () => {
    try {
      return await attempt(job);
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
  return retryOnConflict(ATTEMPTS, tryOnce, exhausted);
}

interface Wished {
  readonly job: Job;
  /** Otherwise it was asked before, or a worker will ask it. */
  readonly isToBeAsked: boolean;
}

/** @throws JobMoved when a worker was faster */
async function wish(job: Job, ports: CancelPorts): Promise<Wished> {
  if (job.phase === 'settled') return { job: endedSo(job), isToBeAsked: false };
  if (job.phase === 'queued' && job.may_be_taken !== true) {
    return { job: await settleJob(job, CANCELLED, ports), isToBeAsked: false };
  }
  if (job.cancel_requested_at !== undefined) return { job, isToBeAsked: false };
  if (job.phase === 'made' || job.phase === 'copying') throw cannotCancel();
  const prospect = await prospectOf(job, ports);
  if (prospect === 'none') throw cannotCancel();
  const wished = await ports.steps.requestCancel(job, ports.now());
  return { job: wished, isToBeAsked: prospect === 'open' };
}

/**
 * Ends a job that its provider says it has stopped. If a poll was told just before that it had finished, its result is
 * gone at some providers and not at others: then the copy tells.
 */
async function confirm(job: Job, ports: CancelPorts): Promise<Job> {
  if (job.phase === 'settled') return endedSo(job);
  return job.phase === 'polling' ? settleJob(job, CANCELLED, ports) : job;
}

function endedSo(job: Job): Job {
  if (job.status === 'cancelled') return job;
  throw new Conflict(`The job has already ended (${job.status}) and can no longer be cancelled`);
}

const endedAlready = (cause: EndToldAlready) =>
  new Conflict('The job has already ended and can no longer be cancelled', {
    cause,
  });

const cannotCancel = () =>
  new Conflict('The job cannot be cancelled, and is charged if it completes', {
    metadata: { reason: 'cannot_cancel' },
  });
