import { CreateBucketCommand, type S3Client } from '@aws-sdk/client-s3';

/** A client, a function that opens links, and the clock for signing links. */
export interface S3UnderTest {
  readonly client: S3Client;
  readonly fetch: typeof fetch;
  readonly now: () => Date;
}

export async function ownBucket(client: S3Client): Promise<string> {
  const Bucket = `own-${crypto.randomUUID()}`;
  await client.send(new CreateBucketCommand({ Bucket }));
  return Bucket;
}
