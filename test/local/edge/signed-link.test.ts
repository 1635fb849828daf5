import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { edgeLinks } from '../../../functions/downloads/links.ts';
import { isSignedLink } from '../../../local/edge/downloads.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const later = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const keys = new Map([['K1', publicKey]]);
const makeLink = edgeLinks({ url: 'http://edge', keyPairId: 'K1', key: async () => privateKey });

const linkTo = async (filename: string) =>
  (await makeLink({ key: 'w/gw_file_1', shownAs: 'attachment', filename }, NOW)).url;

test('a link is signed until it ends, whatever the name in it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async (filename) => {
      const url = await linkTo(filename);
      expect(isSignedLink(url, keys, later(299_999))).toBe(true);
      expect(isSignedLink(url, keys, later(300_000))).toBe(false);
    }),
    { numRuns: 50 },
  );
});

describe('a link is refused', () => {
  test.each<[string, (url: string) => string]>([
    ['to another object', (url) => url.replace('gw_file_1', 'gw_file_2')],
    ['with another name', (url) => url.replace('filename=a', 'filename=b')],
    ['with a second name', (url) => `${url}&filename=b`],
    ['with more behind a second question mark', (url) => `${url}?filename=b`],
    ['at another host', (url) => url.replace('http://edge', 'http://hedge')],
    ['that ends later', (url) => url.replace(/Expires=\d+/, 'Expires=4102444800')],
    ['without an end', (url) => url.replace(/Expires=\d+&/, '')],
    ['without a signature', (url) => url.replace(/Signature=[^&]+&/, '')],
    ['of an unknown key', (url) => url.replace('Key-Pair-Id=K1', 'Key-Pair-Id=K2')],
    ['with more behind a second question mark', (url) => `${url}?filename=b`],
    ['whose end is written in another way', (url) => url.replace(/Expires=(\d+)/, 'Expires=$1.0')],
    ['for the other hash', (url) => url.replace('&Hash-Algorithm=SHA256', '')],
  ])('%s', async (_, change) => {
    const url = await linkTo('a.txt');
    expect(change(url)).not.toBe(url);
    expect(isSignedLink(change(url), keys, NOW)).toBe(false);
  });

  test('that another key has signed', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const links = edgeLinks({ url: 'http://edge', keyPairId: 'K1', key: async () => other.privateKey });
    const { url } = await links({ key: 'a', shownAs: 'video' }, NOW);
    expect(isSignedLink(url, keys, NOW)).toBe(false);
  });

  test('that has a signature of another text', async () => {
    const signature = sign('sha256', Buffer.from('{}'), privateKey).toString('base64url');
    const url = (await linkTo('a')).replace(/Signature=[^&]+/, `Signature=${signature}`);
    expect(isSignedLink(url, keys, NOW)).toBe(false);
  });
});
