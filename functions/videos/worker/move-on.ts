import type { ProviderError, ProviderErrorKind } from '../providers/provider.ts';
import { submitDelay } from './cadence.ts';
import type { MovingJob } from './moving-job.ts';

/** Why a job was not taken where it was, for its history. */
export interface Obstacle {
  readonly reason: string;
  /** It has no business there any more, now or later. */
  readonly isForGood: boolean;
  /** What the provider asks for before the next submit. */
  readonly retryAfterSeconds?: number | undefined;
}

/**
 * Takes a job that is certainly at no provider to the next place: at once to one that it has not tried, and in
 * the pace of submits to one that it comes back to.
 */
export async function moveOn(
  job: MovingJob,
  { reason, isForGood, retryAfterSeconds }: Obstacle,
): Promise<void> {
  const [next] = job.row.alternatives;
  const delaySeconds =
    next?.tried === true ? submitDelay(job.row.submits, retryAfterSeconds, job.ports.random) : 0;
  return job.apply({ type: 'moved', reason, isForGood, delaySeconds });
}

const FOR_NOW: readonly ProviderErrorKind[] = ['rate_limited', 'unavailable'];
const FOR_GOOD: readonly ProviderErrorKind[] = ['refused', 'credential'];

/**
 * What a failed submit says about other places; undefined where none must be tried. What may have been accepted
 * stays, and what moderation or the input itself stands against would be no better elsewhere.
 */
export function obstacleOf({
  kind,
  message,
  isOfInput,
  retryAfterSeconds,
}: ProviderError): Obstacle | undefined {
  if (isOfInput || !(FOR_NOW.includes(kind) || FOR_GOOD.includes(kind))) return undefined;
  return { reason: message, isForGood: FOR_GOOD.includes(kind), retryAfterSeconds };
}
