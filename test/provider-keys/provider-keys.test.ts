import { describe, expect, test } from '@jest/globals';
import { labelSecret, type StoredProviderKey } from '../../functions/provider-keys/provider-key.ts';
import { chooseKey, ProviderKeys } from '../../functions/provider-keys/provider-keys.ts';

const aKey = (id: string, fields: Partial<StoredProviderKey> = {}): StoredProviderKey => ({
  id,
  workspace_id: 'ws-1',
  provider: 'fal',
  label: 'fal…1234',
  ciphertext: '',
  name: null,
  disabled: false,
  is_fallback: false,
  is_required: false,
  is_byok_only: false,
  sort_order: 0,
  allowed_models: null,
  allowed_api_key_hashes: null,
  allowed_user_ids: null,
  declared_zdr: null,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: null,
  ...fields,
});

const chosen = (keys: StoredProviderKey[], use = {}) => chooseKey(keys, 'fal', use)?.id;

describe('the key that is used', () => {
  test.each<[string, StoredProviderKey[], string | undefined]>([
    ['none of another provider', [aKey('a', { provider: 'openai' })], undefined],
    ['none that is disabled', [aKey('a', { disabled: true }), aKey('b')], 'b'],
    ['the first by its order', [aKey('a', { sort_order: 2 }), aKey('b', { sort_order: 1 })], 'b'],
    ['the oldest of equals', [aKey('a', { created_at: '2026-02-01T00:00:00Z' }), aKey('b')], 'b'],
    ['a fallback after all others', [aKey('a', { is_fallback: true }), aKey('b', { sort_order: 9 })], 'b'],
    ['a fallback where there is no other', [aKey('a', { is_fallback: true })], 'a'],
  ])('is %s', (_, keys, id) => {
    expect(chosen(keys)).toBe(id);
  });

  test.each([
    ['allowed_models', 'model'],
    ['allowed_api_key_hashes', 'keyHash'],
    ['allowed_user_ids', 'userId'],
  ] as const)('is kept for what %s names', (field, use) => {
    const keys = [aKey('a', { [field]: ['this'] })];
    expect(chosen(keys, { [use]: 'this' })).toBe('a');
    expect(chosen(keys, { [use]: 'that' })).toBeUndefined();
    expect(chosen(keys)).toBeUndefined();
    expect(chosen([aKey('a', { [field]: [] })], { [use]: 'this' })).toBeUndefined();
  });
});

test.each([
  ['sk-1234567890AbCd', 'sk-…AbCd'],
  ['fal:0123456789abcdef', 'fal…cdef'],
  ['short-secret', '…et'],
])('a secret is labelled so that it cannot be guessed: %s', (secret, label) => {
  expect(labelSecret(secret)).toBe(label);
});

test('a key that has just been stored works at once, and one that is known is not looked up again', async () => {
  let rows: StoredProviderKey[] = [];
  let reads = 0;
  const kms = { send: async () => ({ Plaintext: Buffer.from('secret') }) };
  const keys = new ProviderKeys({
    store: {
      async *list() {
        reads++;
        yield* rows;
      },
    },
    // @ts-expect-error: a KMS that does one thing
    kms,
    kmsKeyId: 'key',
    now: () => new Date(0),
  });
  expect(await keys.find('ws-1', 'fal')).toBeUndefined();
  rows = [aKey('a')];
  expect(await keys.find('ws-1', 'fal')).toBe('secret');
  expect(await keys.find('ws-1', 'fal')).toBe('secret');
  expect(reads).toBe(2);
});
