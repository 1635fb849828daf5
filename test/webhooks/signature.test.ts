import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { encodeSecret, type SignedContent, signatureHeaders } from '../../functions/webhooks/signature.ts';
import { ALL, acceptedBy, type Delivery } from './public-verifiers.ts';

// The packages read the clock themselves.
const NOW = 1_800_000_000;
jest.useFakeTimers({ now: NOW * 1000, doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });

const { privateKey } = generateKeyPairSync('ed25519');
const OLD = new Uint8Array(32).fill(1);
const NEW = new Uint8Array(32).fill(2);
const OTHER = new Uint8Array(32).fill(3);

function delivery(secrets: readonly Uint8Array[], change: Partial<SignedContent> = {}): Delivery {
  const content = { id: 'msg_01hzx', timestamp: NOW, body: '{"type":"webhook.test"}', ...change };
  return { body: content.body, headers: signatureHeaders(content, secrets, privateKey) };
}

test('one entry for each secret, in order, with the expected value', () => {
  const content = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body: '{"test": 2432232314}' };
  const secret = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
  // The example in the specification.
  const known = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
  expect(signatureHeaders(content, [secret])).toEqual({
    'webhook-id': content.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': known,
  });
  const [first, second] = signatureHeaders(content, [OLD, secret])['webhook-signature']!.split(' ');
  expect(first).not.toBe(known);
  expect(second).toBe(known);
});

describe('the packages that receivers use', () => {
  test.each([
    ['before a rotation', [OLD], OLD, ALL],
    ['before a rotation, for a receiver with the next secret', [OLD], NEW, []],
    ['during a rotation, for a receiver with the old secret', [NEW, OLD], OLD, ALL],
    ['during a rotation, for a receiver with the new secret', [NEW, OLD], NEW, ALL],
    ['during a rotation, for a receiver with neither', [NEW, OLD], OTHER, []],
    ['after a rotation, for a receiver with the old secret', [NEW], OLD, []],
    ['after a rotation', [NEW], NEW, ALL],
  ])('%s', async (_, signing, receiving, accepted) => {
    expect(await acceptedBy(delivery(signing), encodeSecret(receiving))).toEqual(accepted);
  });

  test.each([
    [-301, []],
    [-300, ALL],
    [300, ALL],
    [301, []],
  ])('with a timestamp %i s off', async (offset, accepted) => {
    expect(await acceptedBy(delivery([NEW], { timestamp: NOW + offset }), encodeSecret(NEW))).toEqual(
      accepted,
    );
  });

  test('accept any body and any secret', async () => {
    const bodies = fc.json({ stringUnit: 'grapheme' });
    await fc.assert(
      fc.asyncProperty(bodies, fc.uint8Array({ minLength: 24, maxLength: 64 }), async (body, secret) => {
        expect(await acceptedBy(delivery([secret], { body }), encodeSecret(secret))).toEqual(ALL);
      }),
    );
  });

  /** Changing the lowest bit keeps a character valid in a header and in JSON. */
  const flipCharacter = (text: string, at: number): string =>
    text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);

  /** Changes the digest itself. Base64 has unused bits, and one of the packages ignores them. */
  function flipDigest(signatures: string, at: number): string {
    const [first, ...others] = signatures.split(' ');
    const digest = Buffer.from(first!.slice('v1,'.length), 'base64');
    digest[at % digest.length]! ^= 1;
    return [`v1,${digest.toString('base64')}`, ...others].join(' ');
  }

  const FLIPS = {
    body: ({ body, headers }, at) => ({ headers, body: flipCharacter(body, at % body.length) }),
    ...Object.fromEntries(
      ['webhook-id', 'webhook-timestamp'].map((name) => [
        name,
        ({ body, headers }, at) => {
          const value = headers[name]!;
          return { body, headers: { ...headers, [name]: flipCharacter(value, at % value.length) } };
        },
      ]),
    ),
    'webhook-signature': ({ body, headers }, at) => ({
      body,
      headers: { ...headers, 'webhook-signature': flipDigest(headers['webhook-signature']!, at) },
    }),
  } satisfies Record<string, (delivery: Delivery, at: number) => Delivery>;

  test.each(Object.entries(FLIPS))('refuse a flipped byte of %s', async (_, flip) => {
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.nat(), async (body, at) => {
        expect(await acceptedBy(flip(delivery([NEW], { body }), at), encodeSecret(NEW))).toEqual([]);
      }),
    );
  });
});
