import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ResultUnavailable, UnusableResult } from '../../../functions/videos/results/open-result.ts';
import { ResultStore } from '../../../functions/videos/results/result-store.ts';
import { S3Server } from '../../aws/object-upload/s3-server.ts';
import { render } from '../providers/sandbox/render.ts';

let server: S3Server;
let results: ResultStore;
beforeEach(async () => {
  server = new S3Server();
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  const role = { endpoint: await server.listen(), region: 'us-east-1', credentials };
  results = new ResultStore(role, 'bucket');
});
afterEach(() => {
  server.close();
});

function box(type: string, size: number): Buffer {
  const bytes = Buffer.alloc(size, 7);
  bytes.writeUInt32BE(size);
  bytes.write(type, 4, 'latin1');
  return bytes;
}
const mp4 = (size: number) => Buffer.concat([box('ftyp', 16), box('moov', 8), box('mdat', size - 24)]);
async function* cut(bytes: Buffer, end?: Error) {
  for (let at = 0; at < bytes.length; at += 64 * 1024) yield bytes.subarray(at, at + 64 * 1024);
  if (end !== undefined) throw end;
}
const MEBIBYTE = 1024 ** 2;

describe('a result', () => {
  test.each([1, 8, 20])('of %i MiB is kept byte for byte', async (mebibytes) => {
    const video = mp4(mebibytes * MEBIBYTE);
    expect(await results.save('w/j/0', cut(video))).toEqual({
      key: 'w/j/0',
      size_bytes: video.length,
      sha256: createHash('sha256').update(video).digest('hex'),
    });
    expect(server.objects.get('/bucket/w/j/0')?.equals(video)).toBe(true);
    expect(server.uploads.size).toBe(0);
  });

  test('is kept until it is removed', async () => {
    await results.save('w/j/0', cut(mp4(MEBIBYTE)));
    await results.remove('w/j/0');
    expect(server.objects.size).toBe(0);
  });

  test('is stored with its own description', async () => {
    const clip = await render({ width: 320, height: 180, durationSeconds: 2 });
    expect(await results.save('w/j/0', cut(clip))).toMatchObject({
      size_bytes: clip.length,
      width: 320,
      height: 180,
      duration_seconds: 2,
    });
  });

  test.each<[string, AsyncIterable<Buffer>, typeof UnusableResult | typeof ResultUnavailable]>([
    ['is no video', cut(Buffer.alloc(MEBIBYTE)), UnusableResult],
    ['ends before its last box does', cut(mp4(20 * MEBIBYTE).subarray(0, -1)), UnusableResult],
    [
      'breaks off',
      cut(mp4(20 * MEBIBYTE).subarray(0, 17 * MEBIBYTE), new ResultUnavailable('x')),
      ResultUnavailable,
    ],
  ])('that %s leaves nothing', async (_, body, error) => {
    await expect(results.save('w/j/0', body)).rejects.toThrow(error);
    expect([server.objects.size, server.uploads.size]).toEqual([0, 0]);
  });
});
