import * as v from 'valibot';
import { customResource } from '../../aws/custom-resource.ts';
import { emptyBucket } from '../../aws/empty-bucket.ts';
import { log } from '../../aws/logger.ts';
import { s3 } from '../../aws/s3.ts';
import { parseAllowedHosts } from '../../egress/allowed-hosts.ts';
import { createEgress } from '../../egress/egress-fetch.ts';
import { setting } from '../../environment.ts';

const fetch = createEgress({
  allowed: parseAllowedHosts(setting('privateHosts')),
  deadlineMilliseconds: 10_000,
});

const propertiesSchema = v.object({ BucketName: v.string() });

/** Empties a bucket right before CloudFormation deletes it: it can delete empty buckets only. */
export const handler = customResource(
  async () => ({}),
  { fetch, log },
  async (properties) => emptyBucket(s3, v.parse(propertiesSchema, properties).BucketName),
);
