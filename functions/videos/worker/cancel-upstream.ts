import type { Log } from '../../log.ts';
import type { VideoModel } from '../catalogue/catalogue.ts';
import { findModel } from '../catalogue/catalogue.ts';
import type { Job } from '../jobs/job.ts';
import type { ProviderContext, VideoProvider } from '../providers/provider.ts';

export interface CancelUpstreamPorts {
  readonly provider: (model: VideoModel) => VideoProvider;
  readonly providerContext: (provider: string, job: Job) => Promise<ProviderContext>;
  readonly log: Log;
}

/** Stops what nobody waits for any more, as well as its provider can: the job has ended either way. */
export async function cancelUpstream(job: Job, ports: CancelUpstreamPorts): Promise<void> {
  const { id, ref } = job;
  const model = findModel(job.model);
  if (model === undefined || ref === undefined) return;
  try {
    const provider = ports.provider(model);
    const context = await ports.providerContext(provider.name, job);
    const outcome = await provider.cancel?.(ref, context);
    ports.log.info('cancelled upstream', { job_id: id, outcome: outcome ?? 'not_possible' });
  } catch (error) {
    ports.log.warn('the provider did not cancel', { job_id: id, error });
  }
}
