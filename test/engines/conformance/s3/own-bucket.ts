import { CreateBucketCommand, type S3Client } from '@aws-sdk/client-s3';

/** What a suite runs on: a client, a way to open links, and the time that links are signed by. */
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
