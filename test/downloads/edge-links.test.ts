import { createHmac, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { linkKey } from '../../functions/downloads/link-key.ts';
import { edgeLinks } from '../../functions/downloads/links.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const makeLink = edgeLinks({
  url: 'https://d111111abcdef8.cloudfront.net',
  keyPairId: 'K2JCJMDEHXQW5F',
  key: async () => privateKey,
});

/** The parts of a signed URL in the order of AWS' documentation: the address, and what makes it a signed one. */
const SIGNED =
  /^(?<resource>.+)[?&]Expires=(?<expires>\d+)&Signature=(?<signature>(?:[\w~-]{4})+)&Key-Pair-Id=(?<id>\w+)&Hash-Algorithm=SHA256$/;

function partsOf(url: string) {
  const { resource = '', expires = '', signature = '', id } = SIGNED.exec(url)?.groups ?? {};
  // The three characters that AWS replaces, because they mean something in a query.
  const base64 = signature.replace(/[-_~]/g, (each) => ({ '-': '+', _: '=', '~': '/' })[each] ?? each);
  return { resource, expires, id, signature: Buffer.from(base64, 'base64') };
}

test('the signature is of the canned policy with the whole address and the end, whatever the name', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async (filename) => {
      const { url } = await makeLink({ key: 'w/gw_file_1', shownAs: 'attachment', filename }, NOW);
      const { resource, expires, id, signature } = partsOf(url);
      const policy = {
        Statement: [
          { Resource: resource, Condition: { DateLessThan: { 'AWS:EpochTime': Number(expires) } } },
        ],
      };
      expect(id).toBe('K2JCJMDEHXQW5F');
      expect(resource).toMatch(/^https:\/\/d111111abcdef8\.cloudfront\.net\/w\/gw_file_1\?filename=/);
      expect(verify('sha256', Buffer.from(JSON.stringify(policy)), publicKey, signature)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test('no name makes the signed text a pattern: whoever has a link may send that text as a policy of their own', async () => {
  const { url } = await makeLink({ key: 'w/*/1', shownAs: 'attachment', filename: '*"?\\' }, NOW);
  const { resource } = partsOf(url);
  expect(resource).toBe('https://d111111abcdef8.cloudfront.net/w/%2A/1?filename=%2A%22%3F%5C');
});

test('an address without a query gets one', async () => {
  const { url } = await makeLink({ key: 'kept-1d/w/j/0.mp4', shownAs: 'video' }, NOW);
  expect(partsOf(url).resource).toBe('https://d111111abcdef8.cloudfront.net/kept-1d/w/j/0.mp4');
});

test('no key of an object can change what is signed, or where the link leads', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async (key) => {
      const { resource } = partsOf((await makeLink({ key, shownAs: 'video' }, NOW)).url);
      expect(resource).toMatch(/^https:\/\/d111111abcdef8\.cloudfront\.net\/[\w./~%-]*$/);
      expect(decodeURIComponent(resource.slice('https://d111111abcdef8.cloudfront.net/'.length))).toBe(key);
    }),
    { numRuns: 50, examples: [['"}*?#&\\ +%2F']] },
  );
});

test('a derived key signs what its public half verifies', async () => {
  const derive = async (name: string) => createHmac('sha256', 'key').update(name).digest();
  const key = await linkKey(derive, 1);
  const links = edgeLinks({ url: 'https://d1.example.net', keyPairId: 'K1', key: async () => key });
  const { url } = await links({ key: 'a', shownAs: 'video' }, NOW);
  const { resource, expires, signature } = partsOf(url);
  const policy = `{"Statement":[{"Resource":"${resource}","Condition":{"DateLessThan":{"AWS:EpochTime":${expires}}}}]}`;
  expect(verify('sha256', Buffer.from(policy), createPublicKey(key), signature)).toBe(true);
});

test.each([
  [undefined, 300],
  [new Date(NOW.getTime() + 500_000), 300],
  [new Date(NOW.getTime() + 30_900), 30],
  [new Date(NOW.getTime() + 10), 1],
])('a link to what is gone at %p works for %d s', async (goneAt, seconds) => {
  const { url, expiresAt } = await makeLink({ key: 'a', shownAs: 'video', goneAt }, NOW);
  expect(Number(partsOf(url).expires) * 1000).toBe(NOW.getTime() + seconds * 1000);
  expect(expiresAt).toEqual(new Date(NOW.getTime() + seconds * 1000));
});
