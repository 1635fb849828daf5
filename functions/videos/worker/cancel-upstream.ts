import type { Log } from '../../telemetry/log.ts';
import type { Job } from '../jobs/job.ts';
import type { ProviderContext, ProviderError, ProviderRef, ProviderState } from '../providers/provider.ts';
import { type JobPlace, type MovingJob, type PlacePorts, placeOf } from './moving-job.ts';

export interface UpstreamPorts extends PlacePorts {
  readonly providerContext: (provider: string, job: Job) => Promise<ProviderContext>;
  readonly log: Log;
}

/** What may come of asking a provider to cancel: `none` if it certainly goes on, `unknown` if nobody can say yet. */
type Prospect = 'open' | 'none' | 'unknown';

/**
 * At some providers the request that stops work deletes what has finished, and with it a video that is paid for. They
 * have no request that only stops. So they are asked how far the work is, immediately before each such request. Work
 * that finishes in between is lost all the same; nothing on our side can prevent that.
 *
 * @param seen the provider's answer of a moment ago
 */
export async function prospectOf(job: Job, ports: UpstreamPorts, seen?: ProviderState): Promise<Prospect> {
  const place = await placeOf(job, ports);
  const manners = place?.provider.manners.cancel;
  if (place === undefined || manners === undefined) return 'none';
  // A provider may have it, but nobody knows under which name: it is asked once it has answered the submit.
  if (job.ref === undefined) return 'unknown';
  if (manners.until === 'finished' && !manners.deletesFinished) return 'open';
  const state = seen ?? (await look(job, job.ref, place, ports));
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

/** How far the work is; undefined where the provider does not say. */
async function look(
  job: Job,
  ref: ProviderRef,
  { provider, providerName }: JobPlace,
  ports: UpstreamPorts,
): Promise<ProviderState | undefined> {
  try {
    return await provider.poll(ref, await ports.providerContext(providerName, job));
  } catch (error) {
    ports.log.warn('the provider could not be asked how far the job is', { job_id: job.id, error });
    return undefined;
  }
}

/**
 * The outcome of asking a provider to cancel: `requested` if its next answer will tell, `not_possible` if it cannot
 * cancel, or has cancelled before, `unanswered` if it could not be asked.
 */
type Cancellation = 'cancelled' | 'requested' | 'not_possible' | 'unanswered';

/** Asks a provider to stop a job that it has accepted, if it can and nothing is lost by it. */
export async function cancelUpstream(
  job: Job,
  ports: UpstreamPorts,
  seen?: ProviderState,
): Promise<Cancellation> {
  switch (await prospectOf(job, ports, seen)) {
    case 'open':
      return askToCancel(job, ports);
    case 'none':
      return 'not_possible';
    case 'unknown':
      return 'unanswered';
  }
}

/**
 * Whether a provider does not know a job any more because we have asked it to cancel. It is asked once more: it may only
 * not list the job yet, and stops it then.
 */
export async function wasStopped(
  { row, provider, ports }: MovingJob,
  error: ProviderError,
): Promise<boolean> {
  const { cancel: manners } = provider.manners;
  const forgets = manners !== undefined && (manners.deletesFinished || !manners.staysReadable);
  if (!error.isGone || !forgets || row.cancel_requested_at === undefined) return false;
  return ['cancelled', 'not_possible'].includes(await askToCancel(row, ports));
}

async function askToCancel(job: Job, ports: UpstreamPorts): Promise<Cancellation> {
  const { id, ref } = job;
  const place = await placeOf(job, ports);
  if (place === undefined || ref === undefined) return 'not_possible';
  try {
    const { provider, providerName } = place;
    const context = await ports.providerContext(providerName, job);
    const outcome = (await provider.cancel?.(ref, context)) ?? 'not_possible';
    ports.log.info('asked the provider to cancel', { job_id: id, outcome });
    return outcome;
  } catch (error) {
    ports.log.warn('the provider could not be asked to cancel', { job_id: id, error });
    return 'unanswered';
  }
}

/** Ends a job that took too long, and stops what its provider still does for it. */
export async function expireJob(job: MovingJob): Promise<void> {
  const { copy_error } = job.row;
  const reason =
    copy_error === undefined
      ? 'The provider did not finish in time'
      : `The video could not be copied from the provider in time: ${copy_error}`;
  await job.settle({ type: 'expired', reason });
  await cancelUpstream(job.row, job.ports);
}
