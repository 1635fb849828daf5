import * as v from 'valibot';
import { emptyBucket } from '../../aws/buckets.ts';
import { s3 } from '../../aws/s3.ts';
import { deployedEgress } from '../../deployed/egress.ts';
import { log } from '../../telemetry/logger.ts';
import { customResource } from './custom-resource.ts';

const propertiesSchema = v.object({ BucketName: v.string() });

/** Empties a bucket right before CloudFormation deletes it: it can delete empty buckets only. */
export const handler = customResource(
  async () => ({}),
  { fetch: deployedEgress(10_000), log },
  async (properties) => emptyBucket(s3, v.parse(propertiesSchema, properties).BucketName),
);
