import { expect, test } from '@jest/globals';
import { type Download, s3Links } from '../../functions/downloads/links.ts';

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };
const makeLink = s3Links({ region: 'eu-central-1', credentials, endpoint: undefined }, 'bucket');

test('S3 ends a link with what it leads to', async () => {
  const goneAt = new Date(30_900);
  const { url, expiresAt } = await makeLink({ key: 'a', shownAs: 'video', goneAt }, new Date(0));
  expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('30');
  expect(expiresAt).toEqual(new Date(30_000));
});

test.each<[string, Download, (string | null)[]]>([
  [
    'plain bytes to save',
    { key: 'w/gw_file_1', shownAs: 'attachment', filename: 'a.html' },
    ['application/octet-stream', "attachment; filename*=UTF-8''a.html"],
  ],
  ['a video', { key: 'kept-1d/w/j/0.mp4', shownAs: 'video' }, ['video/mp4', null]],
])('S3 is told to show %s', async (_, download, [type, disposition]) => {
  const { origin, searchParams } = new URL((await makeLink(download, new Date(0))).url);
  expect(origin).toBe('https://bucket.s3.eu-central-1.amazonaws.com');
  expect(searchParams.get('response-content-type')).toBe(type);
  expect(searchParams.get('response-content-disposition')).toBe(disposition);
});
