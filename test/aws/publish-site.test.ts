import { GetObjectCommand } from '@aws-sdk/client-s3';
import { expect, test } from '@jest/globals';
import { publishSite } from '../../functions/aws/publish-site.ts';
import { AwsWorld } from '../engines/aws-world.ts';
import { ownBucket } from '../engines/conformance/s3/own-bucket.ts';

test('files are put under their keys with what a browser is told of them, and older ones stay', async () => {
  const world = new AwsWorld();
  const { s3 } = world.startProcess();
  const bucket = await ownBucket(s3);
  const file = { content_type: 'text/javascript; charset=utf-8', cache_control: 'immutable', body: 'ü' };
  await publishSite(s3, bucket, [{ key: 'console/old.js', ...file }]);
  await publishSite(s3, bucket, [{ key: 'console/new.js', ...file }]);
  for (const Key of ['console/old.js', 'console/new.js']) {
    const { Body, ContentType, CacheControl } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
    expect([await Body?.transformToString(), ContentType, CacheControl]).toEqual([
      'ü',
      'text/javascript; charset=utf-8',
      'immutable',
    ]);
  }
});
