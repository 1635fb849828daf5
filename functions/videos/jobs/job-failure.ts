import { type Failure, failures } from './failure-kind.ts';
import type { JobEvent } from './lifecycle.ts';

export type JobFailure = JobEvent & { readonly type: 'failed' };

/**
 * The end of a job that its provider will not make. Refusals by moderation are told apart, in words and in
 * the count of ends, because nobody has to mend anything for them but the caller.
 */
export const jobFailure = (
  reason: string,
  moderated: boolean,
  failure: Failure = failures.provider,
): JobFailure =>
  moderated
    ? {
        type: 'failed',
        reason: `Refused by the provider’s moderation: ${reason}`,
        moderated,
        failure: failures.moderation,
      }
    : { type: 'failed', reason, failure };

/** The end that a caller has asked for. */
export const CANCELLED = { type: 'cancelled', reason: 'Cancelled by the caller' } as const;
