import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
} from '@aws-sdk/client-s3';
import { beforeAll, expect, test } from '@jest/globals';
import { ObjectRequests } from '../../functions/aws/object-upload/object-requests.ts';
import { MultipartUpload, ObjectUploads } from '../../functions/aws/object-upload/object-upload.ts';
import { BlockPool, Part } from '../../functions/aws/object-upload/part.ts';
import { signDownload } from '../../functions/aws/signatures.ts';
import { role, s3 } from './tested-clients.ts';

const Bucket = `own-${crypto.randomUUID()}`;
const MiB = 1024 ** 2;
const requests = new ObjectRequests(role);
const soon = () => AbortSignal.timeout(30_000);

beforeAll(async () => void (await s3.send(new CreateBucketCommand({ Bucket }))));

async function upload(key: string, bytes: Uint8Array, uploads = new ObjectUploads(requests)) {
  const sink = uploads.begin({ bucket: Bucket, key, contentType: 'video/mp4' });
  for (let at = 0; at < bytes.length; at += 99_999) await sink.write(bytes.subarray(at, at + 99_999));
  return sink.end();
}

test.each(['plain', 'a b/ä+c&d=%20?#', "it's (1)!*", '~tilde-_.', '日本/😀'])(
  'an object is written to %s, linked to and deleted without the SDK',
  async (key) => {
    const bytes = randomBytes(70_000);
    await upload(key, bytes);
    const contentDisposition = `attachment; filename*=UTF-8''%E6%97%A5.txt`;
    const link = () => signDownload(role, { bucket: Bucket, key, contentDisposition }, new Date(), 60);
    const answer = await fetch(await link());
    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([200, contentDisposition]);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    await requests.send({ method: 'DELETE', bucket: Bucket, key }, soon());
    expect((await fetch(await link())).status).toBe(404);
  },
);

test.each([5 * MiB + 1, 13 * MiB, 13 * MiB + 1])(
  'an object of %i bytes is written in parts',
  async (size) => {
    const sizes = { putBytes: 4 * MiB, firstPartBytes: 5 * MiB, partBytes: 8 * MiB };
    const bytes = randomBytes(size);
    const { crc32: told } = await upload(`${size}`, bytes, new ObjectUploads(requests, sizes));
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(bytes));
    expect(told).toBe(sum.toString('base64'));
    const object = { Bucket, Key: `${size}` };
    const head = await s3.send(new HeadObjectCommand(object));
    expect([head.ContentLength, head.ContentType]).toEqual([size, 'video/mp4']);
    const { Body } = await s3.send(new GetObjectCommand(object));
    expect(Buffer.from((await Body?.transformToByteArray()) ?? []).equals(bytes)).toBe(true);
  },
);

test('S3 refuses bytes that are not those of their checksum', async () => {
  const headers = { 'x-amz-checksum-crc32': 'AAAAAA==' };
  const chunks = [Buffer.from('x')];
  const put = requests.send({ method: 'PUT', bucket: Bucket, key: 'wrong', headers, chunks }, soon());
  await expect(put).rejects.toMatchObject({ name: 'BadDigest' });
});

test('nothing is left of an upload that is aborted', async () => {
  const parts = new MultipartUpload(requests, { bucket: Bucket, key: 'ended', contentType: 'video/mp4' });
  const part = new Part(MiB, new BlockPool());
  part.take(randomBytes(MiB));
  await parts.send(part, 1, soon());
  const pending = async () => (await s3.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads ?? [];
  expect(await pending()).toHaveLength(1);
  await parts.abort();
  expect(await pending()).toEqual([]);
});
