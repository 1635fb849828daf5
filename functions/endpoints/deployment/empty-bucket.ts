import * as v from 'valibot';
import { customResource } from '../../aws/custom-resource.ts';
import { emptyBucket } from '../../aws/empty-bucket.ts';
import { log } from '../../aws/logger.ts';
import { s3 } from '../../aws/s3.ts';
import { deployedEgress } from '../deployed-egress.ts';

const propertiesSchema = v.object({ BucketName: v.string() });

/** Empties a bucket right before CloudFormation deletes it: it can delete empty buckets only. */
export const handler = customResource(
  async () => ({}),
  { fetch: deployedEgress(10_000), log },
  async (properties) => emptyBucket(s3, v.parse(propertiesSchema, properties).BucketName),
);
