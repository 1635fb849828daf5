import type { S3Client } from '@aws-sdk/client-s3';
import { StoredObjects } from '../../workspaces/stored-objects.ts';
import { bedrockPrefix } from '../bucket-layout.ts';
import type { Job } from '../jobs/job.ts';
import { adapterOf, type ProvidersSettings } from '../providers/provider-settings.ts';

export interface BedrockResultsPorts {
  readonly providers: ProvidersSettings;
  /** The stage's own bucket of results. */
  readonly bucket: string;
  /** A client for this region. @param region undefined for the stage's own */
  readonly clientIn: (region: string | undefined) => S3Client;
}

/**
 * Removes what Bedrock has made for a job. It is a copy of the job's result, under no prefix of the workspace's; and in a
 * bucket that the stage names nothing else deletes it.
 */
export async function removeBedrockResults(
  job: Pick<Job, 'id' | 'provider'>,
  { providers, bucket, clientIn }: BedrockResultsPorts,
): Promise<void> {
  const { id, provider } = job;
  if (provider === undefined || adapterOf(provider, providers) !== 'bedrock') return;
  const aws = providers[provider]?.aws;
  const objects = new StoredObjects(clientIn(aws?.region), aws?.bucket ?? bucket, () => [
    `${bedrockPrefix(job)}/`,
  ]);
  await Array.fromAsync(objects.removeAll(id));
}
