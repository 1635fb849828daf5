import { jobFailure } from '../jobs/job-failure.ts';
import { ProviderError, type ProviderState } from '../providers/provider.ts';
import { failedPollDelay, pollDelay } from './cadence.ts';
import { completeJob } from './complete-job.ts';
import type { MovingJob } from './moving-job.ts';

/** Asks the provider how far a job is, and acts on the answer. */
export async function pollJob(job: MovingJob): Promise<void> {
  const state = await readState(job);
  switch (state.state) {
    case 'queued':
    case 'running':
      return job.apply({
        type: 'progressed',
        ...(state.progress === undefined ? {} : { progress: state.progress }),
        delaySeconds: pollDelay(job.row.polls, state.retryAfterSeconds),
      });
    case 'succeeded':
      return completeJob(job, state);
    case 'expired':
      return job.settle({ type: 'expired', reason: state.reason });
    case 'failed':
    case 'cancelled':
      return job.settle(jobFailure(state.reason, state.moderated === true));
  }
}

/** A poll that fails says nothing about the job: it is asked again until the job's deadline. */
async function readState(job: MovingJob): Promise<ProviderState> {
  try {
    const context = await job.context();
    return await job.ask('poll', () => job.provider.poll(job.row.ref ?? {}, context));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    job.warn('poll failed', error);
    return {
      state: 'running',
      retryAfterSeconds: failedPollDelay(job.row.polls, error.retryAfterSeconds),
    };
  }
}
