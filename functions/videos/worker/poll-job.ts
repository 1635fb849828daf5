import { defined } from '../../defined.ts';
import type { Micros } from '../../money/micros.ts';
import { CANCELLED, jobFailure } from '../jobs/job-failure.ts';
import type { JobEvent } from '../jobs/lifecycle.ts';
import { ProviderError, type ProviderState } from '../providers/provider.ts';
import { failedPollDelay, pollDelay } from './cadence.ts';
import { cancelUpstream } from './cancel-upstream.ts';
import { expireJob } from './expire-job.ts';
import type { MovingJob } from './moving-job.ts';

type StateOf<Name extends ProviderState['state']> = Extract<ProviderState, { readonly state: Name }>;

/** Asks the provider how far a job is, and acts on the answer. After its deadline a job is asked about once more. */
export async function pollJob(job: MovingJob): Promise<void> {
  const state = await readState(job);
  if (state instanceof ProviderError) return afterFailedPoll(job, state);
  switch (state.state) {
    case 'queued':
    case 'running':
      return goOn(job, state);
    case 'succeeded':
      if (state.outputs.length > 0) return job.apply({ type: 'made', delaySeconds: 0 });
      return job.settle({ type: 'failed', reason: 'The provider finished without a video' });
    default:
      return endAsTold(job, state);
  }
}

/** How far the job is, in the provider's words. */
export async function readState(job: MovingJob): Promise<ProviderState | ProviderError> {
  try {
    const context = await job.context();
    return await job.ask('poll', () => job.provider.poll(job.row.ref ?? {}, context));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    job.warn('poll failed', error);
    return error;
  }
}

/** Ends a job that has failed at its provider. */
export function endAsTold(job: MovingJob, state: StateOf<'failed' | 'cancelled' | 'expired'>): Promise<void> {
  switch (state.state) {
    case 'expired':
      return job.settle({ type: 'expired', reason: state.reason });
    case 'cancelled':
      if (job.row.cancel_requested_at !== undefined) return job.settle(cancelledFor(state.costMicros));
      return job.settle(jobFailure(state.reason, false));
    case 'failed':
      return job.settle(jobFailure(state.reason, state.moderated === true));
  }
}

const cancelledFor = (costMicros: Micros | undefined): JobEvent => ({
  ...CANCELLED,
  ...defined({ costMicros }),
});

/** A failed poll says nothing about the job: it is polled again, even for a while after the deadline. */
function afterFailedPoll(job: MovingJob, { retryAfterSeconds }: ProviderError): Promise<void> {
  if (job.isBeyondLastWord) return expireJob(job);
  return job.apply({ type: 'progressed', delaySeconds: failedPollDelay(job.row.polls, retryAfterSeconds) });
}

async function goOn(
  job: MovingJob,
  { progress, retryAfterSeconds }: StateOf<'queued' | 'running'>,
): Promise<void> {
  const { row, ports } = job;
  if (row.cancel_requested_at !== undefined && (await cancelUpstream(row, ports)) === 'cancelled') {
    return job.settle(CANCELLED);
  }
  if (job.isOverdue) return expireJob(job);
  return job.apply({
    type: 'progressed',
    ...defined({ progress }),
    delaySeconds: pollDelay(row.polls, retryAfterSeconds),
  });
}
