import type { Catalogue } from '../catalogue/catalogue.ts';
import type { VideoEndpoint } from '../catalogue/endpoint.ts';
import type { Job } from '../jobs/job.ts';
import type { VideoProvider } from '../providers/provider.ts';

export interface PlacePorts {
  readonly catalogue: () => Promise<Catalogue>;
  /** By the provider's name. */
  readonly provider: (name: string) => VideoProvider;
}

/** Where a job is. */
export interface JobPlace {
  readonly providerName: string;
  readonly provider: VideoProvider;
  /** Undefined where the endpoint has been removed since. A job that its provider has taken is polled all the same. */
  readonly endpoint: VideoEndpoint | undefined;
}

/** Undefined where neither the job nor the catalogue names a provider. */
export async function placeOf(
  job: Pick<Job, 'model' | 'endpoint' | 'provider'>,
  { catalogue, provider }: PlacePorts,
): Promise<JobPlace | undefined> {
  const endpoint = (await catalogue()).endpointOf(job);
  const providerName = job.provider ?? endpoint?.provider;
  return providerName === undefined
    ? undefined
    : { providerName, provider: provider(providerName), endpoint };
}
