import { type Failure, failures } from './failure-kind.ts';
import type { JobEvent } from './lifecycle.ts';

export type JobFailure = JobEvent & { readonly type: 'failed' };

/**
 * The end of a job that its provider will not make. Moderation has words and a count of its own, because only the
 * caller can do something about it.
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
