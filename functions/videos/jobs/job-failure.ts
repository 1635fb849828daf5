import * as v from 'valibot';
import type { JobEvent } from './lifecycle.ts';

/** Why a job ended without a video, in words that programs can tell apart. */
export const FAILURE_TYPES = ['moderation', 'provider', 'input', 'timeout', 'cancelled', 'internal'] as const;

export const failureSchema = v.object({
  type: v.picklist(FAILURE_TYPES),
  /** Whether the same request may succeed when it is sent again. */
  retryable: v.boolean(),
});
export type Failure = Readonly<v.InferOutput<typeof failureSchema>>;

export const failures = {
  moderation: { type: 'moderation', retryable: false },
  /** The provider took the job and did not finish it. */
  provider: { type: 'provider', retryable: true },
  /** The provider refuses this very request, or the key that it comes with. */
  refusal: { type: 'provider', retryable: false },
  input: { type: 'input', retryable: false },
  timeout: { type: 'timeout', retryable: true },
  cancelled: { type: 'cancelled', retryable: false },
  internal: { type: 'internal', retryable: true },
} as const satisfies Record<string, Failure>;

/** The provider failed, or took too long: neither the request is to blame, nor the key that it came with. */
export const isProvidersFailure = ({ type, retryable }: Failure): boolean =>
  type === 'timeout' || (type === 'provider' && retryable);

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

/** The end of a job that no provider has, and that may spend nothing any more. */
export const KEY_CLOSED = {
  type: 'cancelled',
  reason:
    'The key that submitted the job was disabled or deleted, or expired, before a provider accepted the job',
} as const;
