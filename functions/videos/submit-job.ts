import { pollDelay, submitDelay } from './cadence.ts';
import { jobFailure } from './job-failure.ts';
import type { JobEvent } from './job-machine.ts';
import type { MovingJob } from './moving-job.ts';
import { providerJob } from './provider-job.ts';
import { ProviderError } from './providers/provider.ts';

/** Longer than a submit may take, so that a live worker is never overtaken. */
const SUBMIT_LEASE_SECONDS = 60;

/** Hands a job to its provider, under a lease that is committed first: a crash in between can be told. */
export async function submitJob(job: MovingJob): Promise<void> {
  const { ports, provider } = job;
  const context = await job.context();
  const leaseUntil = ports.now().getTime() + SUBMIT_LEASE_SECONDS * 1000;
  await job.apply({ type: 'submit_begun', leaseUntil });
  try {
    const { ref, upstreamId } = await provider.submit(providerJob(job.row, job.model), context);
    const generationId = ports.newGenerationId();
    await job.apply({
      type: 'accepted',
      ref,
      upstreamId,
      generationId,
      delaySeconds: pollDelay(0, undefined),
    });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    job.warn('submit failed', error);
    await afterFailedSubmit(job, error);
  }
}

/** Continues a job whose submit was begun and has left no answer. */
export async function resumeSubmit(job: MovingJob): Promise<void> {
  // The worker that holds the lease also holds a message of its own; this one is not needed.
  if (job.ports.now().getTime() < job.row.due_at) return;
  return job.provider.resubmit === 'token' ? submitJob(job) : job.settle(UNKNOWN_SUBMIT);
}

function afterFailedSubmit(job: MovingJob, error: ProviderError): Promise<void> {
  const mayBeSentAgain =
    error.kind === 'rate_limited' ||
    error.kind === 'unavailable' ||
    (error.kind === 'ambiguous' && job.provider.resubmit === 'token');
  if (mayBeSentAgain) {
    const delaySeconds = submitDelay(job.row.submits, error.retryAfterSeconds, job.ports.random);
    return job.apply({ type: 'submit_deferred', delaySeconds });
  }
  if (error.kind === 'ambiguous') return job.settle(UNKNOWN_SUBMIT);
  return job.settle(jobFailure(error.message, error.kind === 'moderated'));
}

const UNKNOWN_SUBMIT: JobEvent = {
  type: 'failed',
  reason: 'The provider did not confirm the job, and submitting it again could bill it twice',
};
