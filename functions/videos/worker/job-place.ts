import type { Log } from '../../telemetry/log.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Offer } from '../catalogue/offer.ts';
import type { Job } from '../jobs/job.ts';
import type { ProviderContext, VideoProvider } from '../providers/provider.ts';

export interface PlacePorts {
  readonly catalogue: () => Promise<Catalogue>;
  /** By the provider's name. */
  readonly provider: (name: string) => VideoProvider;
}

/** Where a job is. */
export interface JobPlace {
  readonly providerName: string;
  readonly provider: VideoProvider;
  /** Undefined where the offer has been removed since. A job that its provider has taken is polled all the same. */
  readonly offer: Offer | undefined;
}

/** Undefined where neither the job nor the catalogue names a provider. */
export async function placeOf(
  job: Pick<Job, 'model' | 'endpoint' | 'provider'>,
  { catalogue, provider }: PlacePorts,
): Promise<JobPlace | undefined> {
  const offer = (await catalogue()).offerOf(job);
  const providerName = job.provider ?? offer?.provider;
  return providerName === undefined ? undefined : { providerName, provider: provider(providerName), offer };
}

export interface CancelUpstreamPorts extends PlacePorts {
  readonly providerContext: (provider: string, job: Job) => Promise<ProviderContext>;
  readonly log: Log;
}

/**
 * The outcome of asking a provider to cancel: `requested` if its next answer will tell, `not_possible` if it cannot
 * cancel, `unanswered` if it could not be asked.
 */
type Cancellation = 'cancelled' | 'requested' | 'not_possible' | 'unanswered';

/** Asks a provider to stop a job that it has accepted. */
export async function cancelUpstream(job: Job, ports: CancelUpstreamPorts): Promise<Cancellation> {
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
