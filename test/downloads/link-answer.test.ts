import { expect, test } from '@jest/globals';
import { linkAnswer } from '../../functions/downloads/link-answer.ts';

const url = 'https://d111111abcdef8.cloudfront.net/w/gw_file_1?Expires=1';
const link = { url, expiresAt: new Date('2026-01-01T00:05:00Z') };
const headers = { 'x-checksum-crc32': 'qplghg==' };

test.each([
  ['nothing else', {}],
  ['redirect=true', { redirect: 'true' }],
])('a caller who asks for %s is redirected to the link', (_, query) => {
  const answer = linkAnswer({ query }, link, headers);
  expect(answer).toEqual({ status: 302, headers: { ...headers, location: url }, body: '' });
});

test('a caller who asks for no redirect reads the link and its end', () => {
  const answer = linkAnswer({ query: { redirect: 'false' } }, link, headers);
  expect(answer).toMatchObject({ status: 200, headers });
  expect(answer.headers).not.toHaveProperty('location');
  expect(JSON.parse(String(answer.body))).toEqual({ url, expires_at: '2026-01-01T00:05:00.000Z' });
});

test('any other wish is refused', () => {
  expect(() => linkAnswer({ query: { redirect: 'no' } }, link)).toThrow('redirect');
});
