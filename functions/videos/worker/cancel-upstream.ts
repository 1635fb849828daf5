import type { Log } from '../../log.ts';
import type { Job } from '../jobs/job.ts';
import type { ProviderContext } from '../providers/provider.ts';
import { type PlacePorts, placeOf } from './job-place.ts';

export interface CancelUpstreamPorts extends PlacePorts {
  readonly providerContext: (provider: string, job: Job) => Promise<ProviderContext>;
  readonly log: Log;
}

/**
 * The outcome of asking a provider to cancel: `requested` if its next answer will tell, `not_possible` if it cannot
 * cancel, `unanswered` if it could not be asked.
 */
export type Cancellation = 'cancelled' | 'requested' | 'not_possible' | 'unanswered';

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
