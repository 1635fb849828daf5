import type { Log } from '../../telemetry/log.ts';
import type { Job } from '../jobs/job.ts';
import { CANCELLED } from '../jobs/job-failure.ts';
import { SUBMIT_PHASES } from '../jobs/job-queue.ts';
import type { JobEvent } from '../jobs/lifecycle.ts';
import {
  type ProviderContext,
  ProviderError,
  type ProviderRef,
  type ProviderState,
} from '../providers/provider.ts';
import { type JobPlace, type MovingJob, type PlacePorts, placeOf } from './moving-job.ts';

export interface UpstreamPorts extends PlacePorts {
  readonly providerContext: (provider: string, job: Job) => Promise<ProviderContext>;
  readonly log: Log;
  /** Makes a call to the provider, and learns from the outcome. @default nobody learns from it */
  readonly watch?: <T>(call: () => Promise<T>) => Promise<T>;
}

/** For a worker, whose gate learns from every call. */
export const watched = (job: MovingJob): UpstreamPorts => ({
  ...job.ports,
  watch: (call) => job.ask('poll', call),
});

const unwatched = <T>(call: () => Promise<T>): Promise<T> => call();

/** What a provider has answered a moment ago, or why it has not. In one step it is asked no second time. */
type Seen = ProviderState | ProviderError;

/** What may come of asking a provider to cancel: `none` if it certainly goes on, `unknown` if nobody can say yet. */
type Prospect = 'open' | 'none' | 'unknown';

/**
 * At some providers the request that stops work deletes what has finished, and with it a video that is paid for. They
 * have no request that only stops. So they are asked how far the work is, immediately before each such request. Work
 * that finishes in between is lost all the same; nothing on our side can prevent that.
 */
export async function prospectOf(job: Job, ports: UpstreamPorts, seen?: Seen): Promise<Prospect> {
  const place = await placeOf(job, ports);
  const manners = place?.provider.manners.cancel;
  if (place === undefined || manners === undefined) return 'none';
  // A provider may have it, but nobody knows under which name: it is asked once it has answered the submit.
  if (job.ref === undefined) return 'unknown';
  // It cannot stop what it does not know, and has just said so.
  if (seen instanceof ProviderError && seen.isGone) return 'none';
  if (manners.until === 'finished' && !manners.deletesFinished) return 'open';
  const state = seen ?? (await look(job, job.ref, place, ports));
  if (state instanceof ProviderError) return 'unknown';
  switch (state?.state) {
    case 'queued':
      return 'open';
    case 'running':
      return manners.until === 'finished' ? 'open' : 'none';
    case 'succeeded':
    case 'failed':
    case 'expired':
      return 'none';
    default:
      return 'unknown';
  }
}

/** Without the vendor's words, which may be those of the prompt. */
const whyNot = (error: unknown) => (error instanceof ProviderError ? { kind: error.kind } : { error });

/** How far the work is; undefined where the provider does not say. */
async function look(
  job: Job,
  ref: ProviderRef,
  { provider, providerName }: JobPlace,
  ports: UpstreamPorts,
): Promise<ProviderState | undefined> {
  const { watch = unwatched } = ports;
  try {
    const context = await ports.providerContext(providerName, job);
    return await watch(() => provider.poll(ref, context));
  } catch (error) {
    ports.log.warn('the provider could not be asked how far the job is', {
      job_id: job.id,
      ...whyNot(error),
    });
    return undefined;
  }
}

/**
 * The outcome of asking a provider to cancel: `requested` if its next answer will tell, `not_possible` if it cannot
 * cancel, or has cancelled before, `unanswered` if it could not be asked.
 */
type Cancellation = 'cancelled' | 'requested' | 'not_possible' | 'unanswered';

/** Asks a provider to stop a job that it has accepted, if it can and nothing is lost by it. */
export async function cancelUpstream(job: Job, ports: UpstreamPorts, seen?: Seen): Promise<Cancellation> {
  switch (await prospectOf(job, ports, seen)) {
    case 'open':
      return askToCancel(job, ports);
    case 'none':
      return 'not_possible';
    case 'unknown':
      return 'unanswered';
  }
}

/** How long until a provider that does not know a job is asked about it again. It may only not have listed it yet. */
export const MISSING_DELAY_SECONDS = 15;

/**
 * Whether a provider's error says that it does not know a job, and it may have forgotten it because we have asked it to
 * cancel.
 */
export function mayBeStopped({ row, provider }: MovingJob, error: ProviderError): boolean {
  const { cancel: manners } = provider.manners;
  const forgets = manners !== undefined && (manners.deletesFinished || !manners.staysReadable);
  return error.isGone && forgets && row.cancel_requested_at !== undefined;
}

/** Whether a provider did not know a job when it was last asked about it. Two such answers in a row are believed. */
export const wasMissing = ({ row }: MovingJob): boolean => row.missing_in_poll === row.polls;

/** Ends a job that its provider has stopped, as far as anybody can know, and stops what it may only not list. */
export async function endMissing(job: MovingJob): Promise<void> {
  await job.settle(CANCELLED);
  await askToCancel(job.row, watched(job));
}

async function askToCancel(job: Job, ports: UpstreamPorts): Promise<Cancellation> {
  const { id, ref } = job;
  const { watch = unwatched } = ports;
  const place = await placeOf(job, ports);
  if (place === undefined || ref === undefined) return 'not_possible';
  try {
    const { provider, providerName } = place;
    const context = await ports.providerContext(providerName, job);
    const outcome = await watch(async () => (await provider.cancel?.(ref, context)) ?? 'not_possible');
    ports.log.info('asked the provider to cancel', { job_id: id, outcome });
    return outcome;
  } catch (error) {
    ports.log.warn('the provider could not be asked to cancel', { job_id: id, ...whyNot(error) });
    return 'unanswered';
  }
}

/** The end of a job that took too long. */
export const tooLate = (job: Job, seen?: Seen): JobEvent => ({ type: 'expired', reason: delayOf(job, seen) });

function delayOf({ phase, submit_error, copy_error }: Job, seen: Seen | undefined): string {
  if (submit_error !== undefined && SUBMIT_PHASES.includes(phase))
    return `No provider confirmed the job in time; last error: ${submit_error}`;
  if (copy_error !== undefined)
    return `The video could not be copied from the provider in time: ${copy_error}`;
  if (seen instanceof ProviderError)
    return `The status of the job could not be read from the provider in time: ${seen.message}`;
  return UNFINISHED[phase] ?? 'No result from the provider arrived in time';
}

const NOT_COPIED = 'Genway did not copy the video from the provider in time';
/** Where the provider is not the one that has not finished. */
const UNFINISHED: Readonly<Partial<Record<Job['phase'], string>>> = {
  queued: 'Genway could not submit the job to a provider in time',
  submitting: 'The provider did not confirm the job in time',
  made: NOT_COPIED,
  copying: NOT_COPIED,
};

/** Ends a job that took too long, and stops what its provider still does for it. */
export async function expireJob(job: MovingJob, seen?: Seen): Promise<void> {
  const isUnderWay = job.row.phase === 'polling';
  await job.settle(tooLate(job.row, seen));
  if (isUnderWay) await cancelUpstream(job.row, watched(job), seen);
}
