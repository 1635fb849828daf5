import { describe, expect, test } from '@jest/globals';
import { labelSecret, type StoredProviderKey } from '../../functions/provider-keys/provider-key.ts';
import { chooseKey, ProviderSecrets } from '../../functions/provider-keys/provider-secrets.ts';
import { aProviderKey } from './a-provider-key.ts';

const chosen = (keys: StoredProviderKey[], use = {}) => chooseKey(keys, 'fal', use)?.id;

describe('the key that is used', () => {
  test.each<[string, StoredProviderKey[], string | undefined]>([
    ['never one of another provider', [aProviderKey('a', { provider: 'openai' })], undefined],
    ['never a disabled one', [aProviderKey('a', { disabled: true }), aProviderKey('b')], 'b'],
    [
      'the one with the lowest order',
      [aProviderKey('a', { sort_order: 2 }), aProviderKey('b', { sort_order: 1 })],
      'b',
    ],
    [
      'the oldest of equal ones',
      [aProviderKey('a', { created_at: '2026-02-01T00:00:00Z' }), aProviderKey('b')],
      'b',
    ],
    [
      'a fallback only after all others',
      [aProviderKey('a', { is_fallback: true }), aProviderKey('b', { sort_order: 9 })],
      'b',
    ],
    ['a fallback if there is no other', [aProviderKey('a', { is_fallback: true })], 'a'],
  ])('is %s', (_, keys, id) => {
    expect(chosen(keys)).toBe(id);
  });

  test.each([
    ['allowed_models', { models: ['other', 'this'] }, { models: ['that'] }],
    ['allowed_api_key_hashes', { keyHash: 'this' }, { keyHash: 'that' }],
    ['allowed_user_ids', { userId: 'this' }, { userId: 'that' }],
  ] as const)('is kept for what %s names', (field, fitting, other) => {
    const keys = [aProviderKey('a', { [field]: ['this'] })];
    expect(chosen(keys, fitting)).toBe('a');
    expect(chosen(keys, other)).toBeUndefined();
    expect(chosen(keys)).toBeUndefined();
    expect(chosen([aProviderKey('a', { [field]: [] })], fitting)).toBeUndefined();
  });
});

test.each([
  ['sk-1234567890AbCd', 'sk-…AbCd'],
  ['fal:0123456789abcdef', 'fal…cdef'],
  ['short-secret', '…et'],
])('a secret is labelled so that it cannot be guessed: %s', (secret, label) => {
  expect(labelSecret(secret)).toBe(label);
});

/** The secrets of a workspace with some keys, which somebody changes. */
function aWorkspace() {
  const stored = { rows: [] as StoredProviderKey[], secret: 'secret', reads: 0, now: 0 };
  const kms = { send: async () => ({ Plaintext: Buffer.from(stored.secret) }) };
  const keys = new ProviderSecrets({
    store: {
      async *list() {
        stored.reads++;
        yield* stored.rows;
      },
    },
    // @ts-expect-error: a KMS that does one thing
    kms,
    kmsKeyId: 'key',
    now: () => new Date(stored.now),
  });
  return { stored, keys };
}

test('a new key works at once, and a known one is not looked up again', async () => {
  const { stored, keys } = aWorkspace();
  expect(await keys.find('ws-1', 'fal')).toBeUndefined();
  stored.rows = [aProviderKey('a')];
  expect(await keys.find('ws-1', 'fal')).toBe('secret');
  expect(await keys.find('ws-1', 'fal')).toBe('secret');
  expect(stored.reads).toBe(2);
});

test('a secret that replaces another is used once its row has been read', async () => {
  const { stored, keys } = aWorkspace();
  stored.rows = [aProviderKey('a')];
  expect(await keys.find('ws-1', 'fal')).toBe('secret');
  stored.rows = [aProviderKey('a', { ciphertext: 'other' })];
  stored.secret = 'other secret';
  stored.now = 3_600_000;
  expect(await keys.find('ws-1', 'fal')).toBe('other secret');
});
