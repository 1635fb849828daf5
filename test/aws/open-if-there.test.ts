import { PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, test } from '@jest/globals';
import { openIfThere } from '../../functions/aws/buckets.ts';
import { refusal } from '../engines/conformance/index.ts';
import { AwsWorld, faultAt } from '../engines/index.ts';
import { waitBy } from './virtual-waits.ts';

test('an object is opened, a missing one is undefined, and a failure of S3 is an error', async () => {
  const world = new AwsWorld();
  waitBy(world);
  const { s3 } = world.startProcess();
  const { name } = world.s3.createBucket('inputs');
  await s3.send(new PutObjectCommand({ Bucket: name, Key: 'a', Body: 'bytes' }));
  const body = await openIfThere(s3, name, 'a');
  expect(Buffer.concat(await Array.fromAsync(body ?? [])).toString()).toBe('bytes');
  expect(await openIfThere(s3, name, 'b')).toBeUndefined();
  world.faults = faultAt({ operation: 'GetObject' }, 'error');
  expect(await refusal(openIfThere(s3, name, 'a'))).toMatchObject({ name: 'InternalServerError' });
});
