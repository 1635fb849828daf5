import { describe, expect, test } from '@jest/globals';
import type { StoredProviderKey } from '../../../functions/provider-keys/provider-key.ts';
import {
  type AccountsQuestion,
  accountsAt,
  retainsNothing,
} from '../../../functions/videos/routing/choose-for-caller.ts';
import { aProviderKey } from '../../provider-keys/a-provider-key.ts';

const OWN = { isByok: true, turn: 'first' };
const SHARED = { isByok: false, turn: 'usual' };
const NONE = { isByok: true, turn: 'never' };

const question = (
  credential: AccountsQuestion['credential'],
  keys: readonly Partial<StoredProviderKey>[] = [],
  isSharer = false,
): AccountsQuestion => ({
  provider: 'fal',
  credential,
  keys: keys.map((key) => aProviderKey('a', key)),
  use: { models: ['acme/fox', 'fal/fox'], keyHash: 'key-1', userId: 'user-1' },
  isSharer,
});
const accounts = (...asked: Parameters<typeof question>) => accountsAt(question(...asked));

describe('a request runs', () => {
  test.each<[string, ReturnType<typeof accounts>, unknown[]]>([
    ['on the deployment’s own account if the provider asks for no key', accounts('none', [{}]), [SHARED]],
    ['on the workspace’s key', accounts('workspace', [{}]), [OWN]],
    ['on no account if the workspace has no key', accounts('workspace'), [NONE]],
    ['on no account if its only key is disabled', accounts('workspace', [{ disabled: true }]), [NONE]],
    [
      'on no account if its only key is another provider’s',
      accounts('workspace', [{ provider: 'xai' }]),
      [NONE],
    ],
    ['on the workspace’s key first, then on the shared one', accounts('shared', [{}]), [OWN, SHARED]],
    ['on the shared key if the workspace has none', accounts('shared'), [SHARED]],
    [
      'on a fallback key last',
      accounts('shared', [{ is_fallback: true }]),
      [{ ...OWN, turn: 'last' }, SHARED],
    ],
    ['on the workspace’s key only, if that is required', accounts('shared', [{ is_required: true }]), [OWN]],
    [
      'on the shared key for models that a required key excludes',
      accounts('shared', [{ is_required: true, allowed_models: ['other/cat'] }]),
      [SHARED],
    ],
    [
      'on the workspace’s key only, if it excludes the shared key',
      accounts('shared', [{ is_byok_only: true }]),
      [OWN],
    ],
    [
      'on no account for models that such a key excludes',
      accounts('shared', [{ is_byok_only: true, allowed_models: ['other/cat'] }]),
      [NONE],
    ],
    [
      'on the shared key again once such a key is disabled',
      accounts('shared', [{ is_byok_only: true, disabled: true }]),
      [SHARED],
    ],
    ['on a key for its model', accounts('workspace', [{ allowed_models: ['acme/fox'] }]), [OWN]],
    ['on a key for its endpoint', accounts('workspace', [{ allowed_models: ['fal/fox'] }]), [OWN]],
    ['on a key for its user', accounts('workspace', [{ allowed_user_ids: ['user-1'] }]), [OWN]],
    [
      'on no account if its only key is for others',
      accounts('workspace', [{ allowed_user_ids: [] }]),
      [NONE],
    ],
    [
      'on the deployment’s account in the workspace whose key is shared',
      accounts('shared', [{}], true),
      [SHARED],
    ],
  ])('%s', (_, found, expected) => {
    expect(found).toEqual(expected);
  });
});

const STATED = { declared_zdr: true };

test.each<[string, AccountsQuestion, boolean]>([
  ['on a key that states it', question('workspace', [STATED]), true],
  ['on a key that does not', question('workspace', [{ declared_zdr: false }]), false],
  ['on no key', question('workspace'), false],
  ['on a key for other models', question('workspace', [{ ...STATED, allowed_models: ['other/cat'] }]), false],
  ['perhaps on the shared key', question('shared', [STATED]), false],
  ['never on the shared key', question('shared', [{ ...STATED, is_required: true }]), true],
  ['on no key, although the sharing workspace has stored one', question('none', [STATED], true), false],
  ['on the key that this workspace shares', question('shared', [STATED], true), true],
  [
    'on the key that it shares, and not on one for certain callers',
    question('shared', [{ ...STATED, allowed_api_key_hashes: ['key-1'] }], true),
    false,
  ],
])('whether nothing is retained by a request that runs %s', (_, asked, expected) => {
  expect(retainsNothing(asked)).toBe(expected);
});
