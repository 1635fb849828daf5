import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type PutObjectCommandInput,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { refusal } from '../refusal.ts';
import { ownBucket, type S3UnderTest } from './own-bucket.ts';

export function describeObjects(connect: () => S3UnderTest): void {
  describe('an object', () => {
    let client: S3UnderTest['client'];
    let Bucket: string;
    beforeAll(async () => {
      client = connect().client;
      Bucket = await ownBucket(client);
    });
    const put = (
      Key: string,
      Body: NonNullable<PutObjectCommandInput['Body']>,
      input: Partial<PutObjectCommandInput> = {},
    ) => client.send(new PutObjectCommand({ Bucket, Key, Body, ...input }));
    const get = async (Key: string, Range?: string) => {
      const answer = await client.send(new GetObjectCommand({ Bucket, Key, Range }));
      return { ...answer, text: await answer.Body?.transformToString() };
    };

    test('comes back with its type and metadata, whatever its key', async () => {
      const key = 'a folder/ä+b&c=%20?#';
      const { ETag } = await put(key, 'hello', { ContentType: 'text/plain', Metadata: { by: 'me' } });
      const expected = { ContentType: 'text/plain', Metadata: { by: 'me' }, ContentLength: 5, ETag };
      expect(await get(key)).toMatchObject({ ...expected, text: 'hello' });
      expect(await client.send(new HeadObjectCommand({ Bucket, Key: key }))).toMatchObject(expected);
    });

    test('is replaced as a whole, and gone once it is deleted', async () => {
      await put('k', 'one');
      await put('k', Readable.from([Buffer.from('two')]), { ContentLength: 3 });
      expect((await get('k')).text).toBe('two');
      const gone = new DeleteObjectCommand({ Bucket, Key: 'k' });
      await client.send(gone);
      await client.send(gone);
      expect((await refusal(get('k'))).name).toBe('NoSuchKey');
      expect((await refusal(client.send(new HeadObjectCommand({ Bucket, Key: 'k' })))).name).toBe('NotFound');
    });

    test('cannot be in a missing bucket', async () => {
      const nowhere = new GetObjectCommand({ Bucket: `no-${crypto.randomUUID()}`, Key: 'k' });
      expect((await refusal(client.send(nowhere))).name).toBe('NoSuchBucket');
    });

    test.each([
      ['bytes=0-3', '0123', 'bytes 0-3/10'],
      ['bytes=4-', '456789', 'bytes 4-9/10'],
      ['bytes=-3', '789', 'bytes 7-9/10'],
      ['bytes=8-99', '89', 'bytes 8-9/10'],
    ])('is read in part: %s', async (range, text, ContentRange) => {
      await put('digits', '0123456789');
      expect(await get('digits', range)).toMatchObject({ text, ContentRange, ContentLength: text.length });
    });

    test('has no range after its end', async () => {
      await put('digits', '0123456789');
      expect(await refusal(get('digits', 'bytes=10-'))).toMatchObject({ name: 'InvalidRange' });
    });

    test('is created only once with If-None-Match', async () => {
      const Key = crypto.randomUUID();
      const outcomes = await Promise.allSettled(
        Array.from({ length: 5 }, (_, i) => put(Key, String(i), { IfNoneMatch: '*' })),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const error = await refusal(put(Key, 'x', { IfNoneMatch: '*' }));
      expect(error).toMatchObject({ name: 'PreconditionFailed', $metadata: { httpStatusCode: 412 } });
    });

    test('must match its checksum', async () => {
      await put('sum', 'hello', { ChecksumSHA256: 'LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=' });
      const wrong = await refusal(put('sum', 'other', { ContentMD5: 'XUFAKrxLKna5cZ2REBfFkg==' }));
      expect(wrong.name).toBe('BadDigest');
      expect((await get('sum')).text).toBe('hello');
    });

    test('is listed by its prefix, in order, page by page', async () => {
      const own = await ownBucket(client);
      for (const Key of ['b/2', 'a/1', 'b/10', 'b/1', 'c']) {
        await client.send(new PutObjectCommand({ Bucket: own, Key, Body: 'x' }));
      }
      const pages: unknown[] = [];
      for await (const { Contents = [] } of paginateListObjectsV2(
        { client, pageSize: 2 },
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
      const none = await client.send(new ListObjectsV2Command({ Bucket: own, Prefix: 'd' }));
      expect(none).toMatchObject({ KeyCount: 0 });
    });

    test('is deleted with others in one call, whether they exist or not', async () => {
      const own = await ownBucket(client);
      const kept = 'kept/1';
      const gone = ['a&b/<1>', 'ä/2', 'never/there'];
      for (const Key of [kept, ...gone.slice(0, 2)]) {
        await client.send(new PutObjectCommand({ Bucket: own, Key, Body: 'x' }));
      }
      const remove = (Keys: readonly string[], Quiet: boolean) => {
        const Delete = { Objects: Keys.map((Key) => ({ Key })), Quiet };
        return client.send(new DeleteObjectsCommand({ Bucket: own, Delete }));
      };
      const told = await remove(gone, false);
      expect([told.Deleted?.map(({ Key }) => Key), told.Errors]).toEqual([gone, undefined]);
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: own }));
      expect(Contents.map(({ Key }) => Key)).toEqual([kept]);
      const quiet = await remove([kept], true);
      expect([quiet.Deleted, quiet.Errors]).toEqual([undefined, undefined]);
      expect((await client.send(new ListObjectsV2Command({ Bucket: own }))).KeyCount).toBe(0);
    });

    test('has links that return the declared headers, also for ranges', async () => {
      await put('linked', '0123456789');
      const { now, fetch: open } = connect();
      const object = { Bucket, Key: 'linked', ResponseContentType: 'video/mp4' };
      const url = await getSignedUrl(client, new GetObjectCommand(object), {
        expiresIn: 300,
        signingDate: now(),
      });
      const whole = await open(url);
      expect(whole.headers.get('content-type')).toBe('video/mp4');
      expect(await whole.text()).toBe('0123456789');
      const part = await open(url, { headers: { range: 'bytes=2-4' } });
      expect([part.status, await part.text()]).toEqual([206, '234']);
      const early = new Date(now().getTime() - 301_000);
      const old = await getSignedUrl(client, new GetObjectCommand(object), {
        expiresIn: 300,
        signingDate: early,
      });
      expect((await open(old)).status).toBe(403);
    });
  });
}
