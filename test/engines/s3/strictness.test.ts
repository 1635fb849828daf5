import { Readable } from 'node:stream';
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { AwsWorld } from '../aws-world.ts';
import { refusal } from '../conformance/refusal.ts';

const PART = 5 * 1024 ** 2;

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

  test('requires parts of at least 5 MiB, except the last, and in order', async () => {
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand(object));
    const upload = async (PartNumber: number, size: number) => {
      const Body = Buffer.alloc(size);
      const { ETag } = await s3.send(new UploadPartCommand({ ...object, UploadId, PartNumber, Body }));
      return { PartNumber, ETag };
    };
    const [one, two, small] = [await upload(1, PART), await upload(2, PART - 1), await upload(3, 1)];
    const complete = (...Parts: (typeof one)[]) =>
      s3.send(new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload: { Parts } }));
    expect((await refusal(complete(one, two, small))).name).toBe('EntityTooSmall');
    expect((await refusal(complete(two, one))).name).toBe('InvalidPartOrder');
    expect((await refusal(complete())).name).toBe('MalformedXML');
    await complete(one, two);
    expect((await s3.send(new GetObjectCommand(object))).ContentLength).toBe(2 * PART - 1);
  });
});
