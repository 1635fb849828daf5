import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { refusal } from '../refusal.ts';
import { ownBucket, type S3UnderTest } from './own-bucket.ts';

const PART = 5 * 1024 ** 2;

export function describeMultipart(connect: () => S3UnderTest): void {
  describe('an upload in parts', () => {
    let client: S3UnderTest['client'];
    let Bucket: string;
    beforeAll(async () => {
      client = connect().client;
      Bucket = await ownBucket(client);
    });
    const begin = async (Key: string) => {
      const { UploadId } = await client.send(
        new CreateMultipartUploadCommand({ Bucket, Key, ContentType: 'video/mp4' }),
      );
      return { Bucket, Key, UploadId };
    };
    const underWay = async () => {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
      return Uploads.map(({ Key }) => Key);
    };
    const get = (Key: string) => client.send(new GetObjectCommand({ Bucket, Key }));

    test('becomes an object only when it is complete', async () => {
      const upload = await begin('parts');
      expect(await underWay()).toEqual(['parts']);
      const bodies = [Buffer.alloc(PART, 'a'), Buffer.from('b')];
      const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
      for (const [i, Body] of bodies.entries()) {
        const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber: i + 1, Body }));
        Parts.push({ PartNumber: i + 1, ETag });
      }
      expect((await refusal(get('parts'))).name).toBe('NoSuchKey');
      const complete = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } });
      expect((await client.send(complete)).ETag).toMatch(/-2"$/);
      const { Body, ContentType } = await get('parts');
      expect(ContentType).toBe('video/mp4');
      expect(Buffer.concat(bodies).equals((await Body?.transformToByteArray()) ?? new Uint8Array())).toBe(
        true,
      );
      expect(await underWay()).toEqual([]);
    });

    test('leaves nothing when it is aborted', async () => {
      const upload = await begin('aborted');
      await client.send(new UploadPartCommand({ ...upload, PartNumber: 1, Body: Buffer.from('x') }));
      await client.send(new AbortMultipartUploadCommand(upload));
      expect(await underWay()).toEqual([]);
      expect((await refusal(get('aborted'))).name).toBe('NoSuchKey');
      const late = new UploadPartCommand({ ...upload, PartNumber: 2, Body: Buffer.from('x') });
      expect((await refusal(client.send(late))).name).toBe('NoSuchUpload');
    });

    test('only completes with existing parts', async () => {
      const upload = await begin('wrong');
      const { ETag } = await client.send(
        new UploadPartCommand({ ...upload, PartNumber: 1, Body: Buffer.from('x') }),
      );
      const completeWith = (Parts: { PartNumber: number; ETag: string | undefined }[]) =>
        client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
      const wrong = [{ PartNumber: 2, ETag }];
      expect((await refusal(completeWith(wrong))).name).toBe('InvalidPart');
      await completeWith([{ PartNumber: 1, ETag }]);
    });
  });
}
