import { Readable } from 'node:stream';
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { AwsWorld } from '../aws-world.ts';
import { refusal } from '../conformance/refusal.ts';

/** AWS does this and the emulator does not, so the conformance suite cannot contain it. */
describe('more strictly than the emulator, the engine of S3', () => {
  const { s3 } = new AwsWorld().startProcess();
  const object = { Bucket: 'b', Key: 'k' };
  beforeAll(async () => {
    // Hides the SDK's warnings about bodies that it cannot send again.
    jest.spyOn(console, 'warn').mockReturnValue();
    await s3.send(new CreateBucketCommand({ Bucket: 'b' }));
  });

  test.each([2, 4])('refuses a body of 3 bytes with a declared length of %i', async (ContentLength) => {
    const Body = Readable.from([Buffer.from('abc')]);
    const error = await refusal(s3.send(new PutObjectCommand({ ...object, Body, ContentLength })));
    expect(error.name).toBe('IncompleteBody');
    expect((await refusal(s3.send(new GetObjectCommand(object)))).name).toBe('NoSuchKey');
  });

  test('refuses a body of unknown length', async () => {
    const Body = Readable.from([Buffer.from('abc')]);
    const error = await refusal(s3.send(new PutObjectCommand({ ...object, Body })));
    expect(error.name).toBe('MissingContentLength');
  });
});
