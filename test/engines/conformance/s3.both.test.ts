import { Readable } from 'node:stream';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type PutObjectCommandInput,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3';
import { describe, expect, test } from '@jest/globals';
import { refusal } from './refusal.ts';
import { s3 } from './tested-clients.ts';

async function ownBucket(): Promise<string> {
  const Bucket = `own-${crypto.randomUUID()}`;
  await s3.send(new CreateBucketCommand({ Bucket }));
  return Bucket;
}

const Bucket = await ownBucket();

describe('an object', () => {
  const put = (
    Key: string,
    Body: NonNullable<PutObjectCommandInput['Body']>,
    input: Partial<PutObjectCommandInput> = {},
  ) => s3.send(new PutObjectCommand({ Bucket, Key, Body, ...input }));
  const get = async (Key: string) => {
    const answer = await s3.send(new GetObjectCommand({ Bucket, Key }));
    return { ...answer, text: await answer.Body?.transformToString() };
  };

  test('comes back with its type and metadata, whatever its key', async () => {
    const key = 'a folder/ä+b&c=%20?#';
    const { ETag } = await put(key, 'hello', { ContentType: 'text/plain', Metadata: { by: 'me' } });
    const expected = { ContentType: 'text/plain', Metadata: { by: 'me' }, ContentLength: 5, ETag };
    expect(await get(key)).toMatchObject({ ...expected, text: 'hello' });
  });

  test('is replaced as a whole, and gone once it is deleted', async () => {
    await put('k', 'one');
    await put('k', Readable.from([Buffer.from('two')]), { ContentLength: 3 });
    expect((await get('k')).text).toBe('two');
    const gone = new DeleteObjectCommand({ Bucket, Key: 'k' });
    await s3.send(gone);
    await s3.send(gone);
    expect((await refusal(get('k'))).name).toBe('NoSuchKey');
  });

  test('cannot be in a missing bucket', async () => {
    const nowhere = new GetObjectCommand({ Bucket: `no-${crypto.randomUUID()}`, Key: 'k' });
    expect((await refusal(s3.send(nowhere))).name).toBe('NoSuchBucket');
  });

  test('must match its checksum', async () => {
    await put('sum', 'hello', { ChecksumSHA256: 'LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=' });
    const wrong = await refusal(put('sum', 'other', { ContentMD5: 'XUFAKrxLKna5cZ2REBfFkg==' }));
    expect(wrong.name).toBe('BadDigest');
    expect((await get('sum')).text).toBe('hello');
  });

  test('is listed by its prefix, in order, page by page', async () => {
    const own = await ownBucket();
    for (const Key of ['b/2', 'a/1', 'b/10', 'b/1', 'c']) {
      await s3.send(new PutObjectCommand({ Bucket: own, Key, Body: 'x' }));
    }
    const pages: unknown[] = [];
    for await (const { Contents = [] } of paginateListObjectsV2(
      { client: s3, pageSize: 2 },
      { Bucket: own, Prefix: 'b/' },
    )) {
      pages.push(Contents.map(({ Key, Size }) => [Key, Size]));
    }
    expect(pages).toEqual([
      [
        ['b/1', 1],
        ['b/10', 1],
      ],
      [['b/2', 1]],
    ]);
    const none = await s3.send(new ListObjectsV2Command({ Bucket: own, Prefix: 'd' }));
    expect(none).toMatchObject({ KeyCount: 0 });
  });

  test('is deleted with others in one call, whether they exist or not', async () => {
    const own = await ownBucket();
    const kept = 'kept/1';
    const gone = ['a&b/<1>', 'ä/2', 'never/there'];
    for (const Key of [kept, ...gone.slice(0, 2)]) {
      await s3.send(new PutObjectCommand({ Bucket: own, Key, Body: 'x' }));
    }
    const Delete = { Objects: gone.map((Key) => ({ Key })) };
    const told = await s3.send(new DeleteObjectsCommand({ Bucket: own, Delete }));
    expect([told.Deleted?.map(({ Key }) => Key), told.Errors]).toEqual([gone, undefined]);
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: own }));
    expect(Contents.map(({ Key }) => Key)).toEqual([kept]);
  });

  test('is deleted in silence', async () => {
    await put('silent', 'x');
    const Delete = { Objects: [{ Key: 'silent' }], Quiet: true };
    const told = await s3.send(new DeleteObjectsCommand({ Bucket, Delete }));
    expect([told.Deleted, told.Errors]).toEqual([undefined, undefined]);
  });
});
