import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { expect, test } from '@jest/globals';
import { emptyBucket } from '../../functions/aws/buckets.ts';
import { stage } from './stage.ts';

const s3 = new S3Client({ ...stage.aws, forcePathStyle: true });

async function newBucket(isVersioned: boolean): Promise<string> {
  const Bucket = `own-${crypto.randomUUID()}`;
  await s3.send(new CreateBucketCommand({ Bucket }));
  if (isVersioned) {
    const VersioningConfiguration = { Status: 'Enabled' as const };
    await s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
  }
  return Bucket;
}

test.each([
  ['that keeps versions', true],
  ['that keeps none', false],
])('a bucket %s can only be deleted after it has been emptied', async (_, isVersioned) => {
  const Bucket = await newBucket(isVersioned);
  for (const Key of ['a', 'a', 'b/ü', 'c']) await s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }));
  await s3.send(new DeleteObjectCommand({ Bucket, Key: 'c' }));
  await expect(s3.send(new DeleteBucketCommand({ Bucket }))).rejects.toThrow();
  await emptyBucket(s3, Bucket);
  await s3.send(new DeleteBucketCommand({ Bucket }));
});

test('a bucket with more than one page is emptied, and an empty one stays unchanged', async () => {
  const Bucket = await newBucket(false);
  const keys = Array.from({ length: 1_010 }, (_, index) => `k${index}`);
  for (let i = 0; i < keys.length; i += 50) {
    const some = keys.slice(i, i + 50);
    await Promise.all(some.map((Key) => s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }))));
  }
  await emptyBucket(s3, Bucket);
  await emptyBucket(s3, Bucket);
  await s3.send(new DeleteBucketCommand({ Bucket }));
});
