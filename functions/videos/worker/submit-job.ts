import { defined } from '../../defined.ts';
import { formatOf } from '../catalogue/frame-size.ts';
import { followsInput } from '../catalogue/input-limits.ts';
import type { Offer } from '../catalogue/offer.ts';
import { tariffOf } from '../catalogue/price.ts';
import type { RequestedVideo } from '../catalogue/requested-video.ts';
import { pollDelay, submitDelay } from '../jobs/cadence.ts';
import { generationIdOf, type Job, type WaitReason } from '../jobs/job.ts';
import { CANCELLED, failures, jobFailure, KEY_CLOSED } from '../jobs/job-failure.ts';
import { JobMoved } from '../jobs/job-steps.ts';
import type { JobEvent } from '../jobs/lifecycle.ts';
import {
  type InputReference,
  ProviderError,
  type ProviderErrorKind,
  type ProviderJob,
  type SourceVideo,
  type Submission,
} from '../providers/provider.ts';
import { cancelUpstream, expireJob, watched } from './cancel-upstream.ts';
import type { MovingJob } from './moving-job.ts';

/** Longer than a submit may take, so that no other worker takes a live one's job. */
const SUBMIT_LEASE_SECONDS = 60;

/** A provider may take a moment to list what it has just accepted. */
const LOOKUP_DELAY_SECONDS = 15;

/** How long after its lease a submit is looked up that the provider does not list. */
const LISTING_MILLISECONDS = 60_000;

/** A job that its provider may have is submitted even if it is to be cancelled: the answer says what to cancel. */
export async function submitQueued(job: MovingJob): Promise<void> {
  return job.row.may_be_taken === true ? submitJob(job) : submitUnlessCancelled(job);
}

/** For a job that its provider certainly does not have. */
async function submitUnlessCancelled(job: MovingJob): Promise<void> {
  return job.row.cancel_requested_at === undefined ? submitJob(job) : job.settle(CANCELLED);
}

/** Hands a job to its provider, under a lease that is committed first, so that a crash in between is noticed. */
async function submitJob(job: MovingJob, mayBeTaken = false): Promise<void> {
  const { ports, provider } = job;
  const { offer } = job.place;
  if (offer === undefined) return leaveRemoved(job);
  const context = await job.context();
  const request = await job.request();
  const leaseUntil = ports.now().getTime() + SUBMIT_LEASE_SECONDS * 1000;
  await job.apply({ type: 'submit_begun', leaseUntil, mayBeTaken });
  const callbackUrl = await ports.callbackUrl?.(job.row, job.place);
  const callsBack = callbackUrl === undefined ? undefined : await reliabilityOf(offer, job);
  // Right before the provider is asked: whatever is awaited in between is time in which a closed key still spends.
  if (!(await mayStillSpend(job))) return endOfClosedKey(job);
  try {
    const asked = { ...providerJob(job.row, request, offer), ...defined({ callbackUrl }) };
    const submission = await job.ask('submit', () => provider.submit(asked, context));
    await accept(job, submission, callsBack);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    job.warn('submit failed', error);
    await afterFailedSubmit(job, error);
  }
}

const reliabilityOf = async (offer: Offer, { ports }: MovingJob): Promise<NonNullable<Job['calls_back']>> =>
  (await ports.figures?.())?.(offer).callsBack === true ? 'reliably' : 'perhaps';

export const mayStillSpend = ({ row, ports }: MovingJob): Promise<boolean> =>
  ports.steps.maySpend(row, ports.now());

/** Ends a job whose key may not spend any more, and that its provider is not known to have. */
export const endOfClosedKey = (job: MovingJob): Promise<void> =>
  job.settle(job.row.may_be_taken === true ? UNKNOWN_AND_CLOSED : KEY_CLOSED);

/** The offer is no longer in the catalogue. If the submit may have reached it, it is sent nowhere else. */
async function leaveRemoved(job: MovingJob): Promise<void> {
  const { model, endpoint = model, alternatives, phase } = job.row;
  if (phase === 'submitting') return job.settle(UNKNOWN_SUBMIT);
  const reason = `The endpoint ${endpoint} is no longer offered`;
  if (alternatives.length > 0) return moveOn(job, { reason, isForGood: true });
  return job.settle({ type: 'failed', reason, failure: failures.refusal });
}

/** Continues a job whose submit was begun, is no longer under way and was never answered. */
export async function resumeSubmit(job: MovingJob): Promise<void> {
  switch (job.provider.manners.resubmit) {
    case 'token':
      return submitJob(job, true);
    case 'lookup':
      return reconcile(job);
    case 'none':
      return job.settle(UNKNOWN_SUBMIT);
  }
}

async function reconcile(job: MovingJob): Promise<void> {
  const found = await lookUp(job);
  if (found instanceof ProviderError)
    return job.isBeyondLastWord ? expireJob(job, found) : job.apply(LOOK_UP_LATER);
  switch (found) {
    case 'absent':
      return job.isOverdue ? expireJob(job) : submitUnlessCancelled(job);
    case 'unknown':
      return mayBeListedYet(job) ? job.apply(LOOK_UP_LATER) : job.settle(UNKNOWN_SUBMIT);
    default:
      return accept(job, found);
  }
}

/** Rows of older versions do not say when their lease ended. */
const mayBeListedYet = ({ row, ports }: MovingJob): boolean =>
  ports.now().getTime() < (row.leased_until ?? 0) + LISTING_MILLISECONDS;

async function lookUp(job: MovingJob): Promise<Submission | 'absent' | 'unknown' | ProviderError> {
  try {
    const context = await job.context();
    return await job.ask('poll', async () => (await job.provider.lookup?.(job.row.id, context)) ?? 'unknown');
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    job.warn('lookup failed', error);
    return error;
  }
}

async function accept(
  job: MovingJob,
  submission: Submission,
  callsBack?: NonNullable<Job['calls_back']>,
): Promise<void> {
  const generationId = generationIdOf(job.row.id);
  const delaySeconds = pollDelay(0, undefined);
  try {
    await job.apply({
      type: 'accepted',
      ...submission,
      generationId,
      ...defined({ callsBack }),
      delaySeconds,
    });
  } catch (error) {
    if (error instanceof JobMoved) await withdraw(job, submission);
    throw error;
  }
}

/**
 * The job went on while its provider accepted it. If somebody submits it again, the provider recognises it as the same
 * work; otherwise the work is cancelled.
 */
async function withdraw(job: MovingJob, { ref, upstreamId }: Submission): Promise<void> {
  const { row, ports } = job;
  const now = await ports.jobs.find(row.id);
  if (now !== undefined && (now.phase !== 'settled' || now.upstream_id === upstreamId)) return;
  await cancelUpstream({ ...row, ref }, watched(job));
}

async function afterFailedSubmit(job: MovingJob, error: ProviderError): Promise<void> {
  const { kind, message, retryAfterSeconds, isOfInput } = error;
  const { resubmit } = job.provider.manners;
  if (kind === 'ambiguous' && resubmit === 'none') return job.settle(UNKNOWN_SUBMIT);
  if (kind === 'ambiguous' && resubmit === 'lookup') return job.apply(LOOK_UP_LATER);
  const obstacle = obstacleOf(error);
  if (obstacle !== undefined && job.row.alternatives.length > 0) return moveOn(job, obstacle);
  if (kind === 'rate_limited' || kind === 'unavailable' || kind === 'ambiguous') {
    if (job.isOverdue) return expireJob(job);
    const delaySeconds = submitDelay(job.row.submits, retryAfterSeconds, job.ports.random);
    return job.apply({
      type: 'submit_deferred',
      reason: message,
      delaySeconds,
      mayBeTaken: kind === 'ambiguous',
      waitingFor: waitReason(error),
    });
  }
  const failure = isOfInput ? failures.input : failures.refusal;
  return job.settle(jobFailure(message, kind === 'moderated', failure));
}

const LOOK_UP_LATER: JobEvent = {
  type: 'put_off',
  delaySeconds: LOOKUP_DELAY_SECONDS,
  waitingFor: 'confirmation',
};

const UNKNOWN_SUBMIT: JobEvent = {
  type: 'failed',
  reason:
    'The provider did not confirm the job; Genway does not submit it again, because the provider could charge for both submissions',
};

/** Asking again, under the same token, would have it begun if it was not. */
const UNKNOWN_AND_CLOSED: JobEvent = {
  type: 'failed',
  reason:
    'The provider did not confirm the job, and the key that submitted it was disabled or deleted, or has expired',
};

/** Why a job was not taken at a place, for its history. */
interface Obstacle {
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
function obstacleOf(error: ProviderError): Obstacle | undefined {
  const { kind, message, isOfInput, retryAfterSeconds } = error;
  if (isOfInput || !(FOR_NOW.includes(kind) || FOR_GOOD.includes(kind))) return undefined;
  const isForGood = FOR_GOOD.includes(kind);
  return { reason: message, isForGood, waitingFor: waitReason(error), retryAfterSeconds };
}

/** What a job waits for when its submit has failed for now. */
function waitReason({ kind, isOfInput }: ProviderError): WaitReason {
  if (isOfInput) return 'input';
  return kind === 'rate_limited' ? 'rate_limit' : 'provider_unavailable';
}

/** The source is stored as one of the references. */
function references({ input_references }: RequestedVideo): Pick<ProviderJob, 'inputReferences' | 'source'> {
  const inputReferences: InputReference[] = [];
  let source: SourceVideo | undefined;
  for (const { kind, url } of input_references) {
    if (kind === 'extend' || kind === 'edit') source = { continuation: kind, url };
    else inputReferences.push({ kind, url });
  }
  return { inputReferences, ...defined({ source }) };
}

/** A job in the terms of the adapters. */
export function providerJob({ id }: Pick<Job, 'id'>, request: RequestedVideo, offer: Offer): ProviderJob {
  const { width, height, resolution, aspectRatio } = formatOf(request.width, request.height);
  return {
    id,
    upstreamModel: offer.upstream,
    tariff: tariffOf(request, offer.price_per_second),
    dialect: offer.dialect,
    prompt: request.prompt,
    width,
    height,
    resolution,
    ...(followsInput(request, offer) ? {} : { aspectRatio }),
    durationSeconds: request.duration_seconds,
    ...defined({ seed: request.seed }),
    generateAudio: request.generate_audio,
    frameImages: request.frame_images.map(({ frame_type, url }) => ({ frameType: frame_type, url })),
    ...references(request),
    options: request.options,
  };
}
