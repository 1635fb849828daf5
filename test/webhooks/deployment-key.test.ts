import { createPublicKey, type KeyObject, sign } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { deploymentKey, keySet } from '../../functions/webhooks/signature.ts';

/** The first test vector of RFC 8032, section 7.1. */
const SEED = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
const PUBLIC = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';

const keyOf = (seed: Uint8Array): Promise<KeyObject> => deploymentKey(async () => seed);

test('the key pair is the one of the derived seed', async () => {
  const names: string[] = [];
  const key = await deploymentKey(async (name) => {
    names.push(name);
    return Buffer.from(SEED, 'hex');
  });
  expect(names).toEqual(['webhook-ed25519/1']);
  expect(Buffer.from(keySet(key).keys[0]!.x, 'base64url').toString('hex')).toBe(PUBLIC);
  expect(sign(null, Buffer.alloc(0), key).toString('hex').slice(0, 16)).toBe('e5564300c360ac72');
});

describe('the published key', () => {
  test('has the name that RFC 8037 gives this one, and no private part', async () => {
    expect(keySet(await keyOf(Buffer.from(SEED, 'hex')))).toEqual({
      keys: [
        {
          kty: 'OKP',
          crv: 'Ed25519',
          x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
          kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
          use: 'sig',
          alg: 'EdDSA',
        },
      ],
    });
  });

  test('matches the signing key, for any seed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 32, maxLength: 32 }), async (seed) => {
        const key = await keyOf(seed);
        const published = createPublicKey({ key: keySet(key).keys[0]!, format: 'jwk' });
        expect(published.equals(createPublicKey(key))).toBe(true);
      }),
    );
  });
});
