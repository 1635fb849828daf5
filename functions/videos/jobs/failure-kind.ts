import * as v from 'valibot';

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
