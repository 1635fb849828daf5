import { defined } from '../../defined.ts';
import type { WaitReason } from '../jobs/job-wait.ts';
import type { ProviderError, ProviderErrorKind } from '../providers/provider.ts';
import { submitDelay } from './cadence.ts';
import type { MovingJob } from './moving-job.ts';

/** Why a job was not taken at a place, for its history. */
export interface Obstacle {
  readonly reason: string;
  /** The job must not come back to this place. */
  readonly isForGood: boolean;
  /** What it waits for, if it comes back to a place that it has tried. */
  readonly waitingFor?: WaitReason;
  /** The provider's wish for the next submit. */
  readonly retryAfterSeconds?: number | undefined;
}

/**
 * Sends a job that no provider has on to its next place: at once to one that it has not tried, and at the pace of
 * submits to one that it comes back to.
 */
export async function moveOn(
  job: MovingJob,
  { reason, isForGood, waitingFor, retryAfterSeconds }: Obstacle,
): Promise<void> {
  const [next] = job.row.alternatives;
  const moved = { type: 'moved', reason, isForGood } as const;
  if (next?.tried !== true) return job.apply({ ...moved, delaySeconds: 0 });
  const delaySeconds = submitDelay(job.row.submits, retryAfterSeconds, job.ports.random);
  return job.apply({ ...moved, delaySeconds, ...defined({ waitingFor }) });
}

const FOR_NOW: readonly ProviderErrorKind[] = ['rate_limited', 'unavailable'];
const FOR_GOOD: readonly ProviderErrorKind[] = ['refused', 'credential'];

/**
 * What a failed submit means for other places; undefined where none may be tried. A job that may have been accepted
 * stays. Moderation, or a bad input, would fail elsewhere too.
 */
export function obstacleOf(error: ProviderError): Obstacle | undefined {
  const { kind, message, isOfInput, retryAfterSeconds } = error;
  if (isOfInput || !(FOR_NOW.includes(kind) || FOR_GOOD.includes(kind))) return undefined;
  const isForGood = FOR_GOOD.includes(kind);
  return { reason: message, isForGood, waitingFor: waitReason(error), retryAfterSeconds };
}

/** What a job waits for when its submit has failed for now. */
export function waitReason({ kind, isOfInput }: ProviderError): WaitReason {
  if (isOfInput) return 'input';
  return kind === 'rate_limited' ? 'rate_limit' : 'provider_unavailable';
}
