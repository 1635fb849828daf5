import { createECDH, createHash, createHmac, createPublicKey, hkdfSync, sign, verify } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  acceptedGenerations,
  linkKey,
  publicKeyName,
  publicLinkKey,
  publicLinkKeys,
} from '../../functions/downloads/link-key.ts';

const derive = async (name: string) => createHmac('sha256', 'key').update(name).digest();
const ORDER = 2n ** 256n - 2n ** 224n + 2n ** 192n - 89188191075325690597107910205041859247n;

test('the key is the number of the derived bytes below the order of P-256, and never 0', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 32, maxLength: 32 }), async (bytes) => {
      const key = await linkKey(async () => bytes, 7);
      const seed = Buffer.from(hkdfSync('sha256', bytes, '', 'download-links/7', 40)).toString('hex');
      const { crv, d = '', x = '', y = '' } = key.export({ format: 'jwk' });
      const number = BigInt(`0x${Buffer.from(d, 'base64url').toString('hex')}`);
      expect(crv).toBe('P-256');
      expect(number).toBe((BigInt(`0x${seed}`) % (ORDER - 1n)) + 1n);
      const curve = createECDH('prime256v1');
      curve.setPrivateKey(Buffer.from(d, 'base64url'));
      expect(curve.getPublicKey('hex')).toBe(`04${hex(x)}${hex(y)}`);
    }),
    { numRuns: 50 },
  );
});

const hex = (base64url: string) => Buffer.from(base64url, 'base64url').toString('hex');

test('a number with leading zeros is a key too', async () => {
  // Found by trying: one in 256 has any.
  const bytes = createHash('sha256').update('691').digest();
  const { d = '' } = (await linkKey(async () => bytes, 1)).export({ format: 'jwk' });
  expect(hex(d)).toMatch(/^00.{62}$/);
});

test('CloudFront gets the public half alone, as PEM', async () => {
  const pem = await publicLinkKey(derive, 1);
  expect(pem).toMatch(/^-----BEGIN PUBLIC KEY-----\n[\w+/=\n]+\n-----END PUBLIC KEY-----\n$/);
  const signature = sign('sha256', Buffer.from('policy'), await linkKey(derive, 1));
  expect(verify('sha256', Buffer.from('policy'), createPublicKey(pem), signature)).toBe(true);
});

test.each([
  [1, [1, 2]],
  [2, [1, 2, 3]],
  [17, [16, 17, 18]],
])('while generation %i signs, CloudFront accepts %j', (generation, accepted) => {
  expect(acceptedGenerations(generation)).toEqual(accepted);
});

test('CloudFront gets the public half of every generation that it accepts', async () => {
  expect(await publicLinkKeys(derive, 2)).toEqual({
    [publicKeyName(1)]: await publicLinkKey(derive, 1),
    [publicKeyName(2)]: await publicLinkKey(derive, 2),
    [publicKeyName(3)]: await publicLinkKey(derive, 3),
  });
});

test('each generation is another key', async () => {
  const keys = await Promise.all([1, 2, 3].map((generation) => publicLinkKey(derive, generation)));
  expect(new Set(keys).size).toBe(3);
  expect(await publicLinkKey(derive, 2)).toBe(keys[1]);
});
