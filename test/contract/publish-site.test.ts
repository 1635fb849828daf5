import { CreateBucketCommand, GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { expect, test } from '@jest/globals';
import { publishSite } from '../../functions/aws/buckets.ts';
import { stage } from './stage.ts';

const s3 = new S3Client({ ...stage.aws, forcePathStyle: true });

test('files are published under their keys with their headers, and older files stay', async () => {
  const Bucket = `own-${crypto.randomUUID()}`;
  await s3.send(new CreateBucketCommand({ Bucket }));
  const file = { content_type: 'text/javascript; charset=utf-8', cache_control: 'immutable', body: 'ü' };
  await publishSite(s3, Bucket, [{ key: 'console/old.js', ...file }]);
  await publishSite(s3, Bucket, [{ key: 'console/new.js', ...file }]);
  for (const Key of ['console/old.js', 'console/new.js']) {
    const { Body, ContentType, CacheControl } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    expect([await Body?.transformToString(), ContentType, CacheControl]).toEqual([
      'ü',
      'text/javascript; charset=utf-8',
      'immutable',
    ]);
  }
});
