import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { InvalidRequest, NotFound } from '../../functions/http/errors.ts';
import { UNLIMITED } from '../../functions/http/scope.ts';
import { changeKey } from '../../functions/keys/change-key.ts';
import { beginKey, createManagementKey, makeKey } from '../../functions/keys/create-key.ts';
import { checkedKeyHash } from '../../functions/keys/find-key.ts';
import { hashKey } from '../../functions/keys/key-format.ts';
import {
  GuardrailMissing,
  KeyMissing,
  noGuardrails,
  WorkspaceMissing,
} from '../../functions/keys/key-lives.ts';
import { keyChangeSchema, newKeySchema } from '../../functions/keys/key-requests.ts';
import type { KeyManager } from '../../functions/keys/key-scope.ts';
import type { StoredKey } from '../../functions/keys/key-store.ts';
import { emptyAccount, keyAccount } from '../../functions/money/account.ts';
import type { LimitsChange } from '../../functions/money/account-update.ts';
import { DEFAULT_WORKSPACE_ID } from '../../functions/workspaces/workspace.ts';
import { NOW, startKeys } from './key-world.ts';

const SOON = '2030-01-01T00:00:00.001Z';
const OTHER = '0b6f7c9e-9a52-4d0f-9d0f-5b1c1f0a0002';

/** Creates a key in a store that answers so. */
async function create(fields: object, answer?: Error, maker: Partial<KeyManager> = {}, namedAt?: string) {
  const begun: [StoredKey, LimitsChange][] = [];
  const begin = async (key: StoredKey, money: LimitsChange) => {
    begun.push([key, money]);
    if (answer !== undefined) throw answer;
  };
  const requested = v.parse(newKeySchema, { name: 'Mine', ...fields });
  const by = {
    kind: 'management',
    keyHash: 'maker',
    workspaceId: 'own',
    scope: UNLIMITED,
    endsAt: null,
    ...maker,
  } as const;
  const made = makeKey(requested, by, NOW, randomBytes);
  await beginKey(made, { begin }, { namedAt });
  return { ...made, begun };
}

/** Changes a key in a store that answers so. */
async function change(fields: object, answer?: Error) {
  const asked: unknown[] = [];
  const lives = {
    change: async (...all: unknown[]) => {
      asked.push(...all);
      if (answer !== undefined) throw answer;
    },
  };
  await changeKey('hash', v.parse(keyChangeSchema, fields), lives, NOW);
  return asked;
}

const pathOf = (path: string, message: string) =>
  expect.objectContaining({
    name: 'InvalidRequest',
    message: expect.stringContaining(message),
    metadata: { path },
  });

describe('a new key', () => {
  test('is a normal one of the caller’s workspace that may do what any key may', async () => {
    const { key, stored, account, begun } = await create({});
    expect(stored).toStrictEqual({
      hash: hashKey(key),
      kind: 'normal',
      name: 'Mine',
      label: expect.stringMatching(/^sk-gw-v1-/),
      workspace_id: 'own',
      creator_user_id: null,
      external_user: null,
      rate_limits: {},
      guardrail_id: null,
      scope: UNLIMITED,
      disabled: false,
      expires_at: null,
      created_at: NOW.toISOString(),
      updated_at: null,
      last_used_at: null,
    });
    expect(account).toEqual(emptyAccount(`key#${hashKey(key)}`));
    expect(begun).toEqual([[stored, { limits: {}, countsByok: false }]]);
  });

  test('is as it was asked for', async () => {
    const { stored, account, begun } = await create({
      management: true,
      workspace_id: OTHER.toUpperCase(),
      creator_user_id: 'c',
      external: { user: 'e', api_key: 'k' },
      expires_at: SOON,
      limit: 0.000005,
      limit_reset: 'daily',
      include_byok_in_limit: true,
      rate_limits: { read: 1, submit: 60_000, admin: null },
    });
    expect(stored).toMatchObject({
      kind: 'management',
      workspace_id: OTHER,
      creator_user_id: 'c',
      external_user: 'e',
      external: { user: 'e', api_key: 'k' },
      expires_at: SOON,
    });
    expect(stored.rate_limits).toStrictEqual({ read: 1, submit: 60_000 });
    const money = { limits: account.limits, countsByok: true };
    expect(account).toMatchObject({ limits: { daily: { micros: 5 } }, counts_byok: true });
    expect(begun).toEqual([[stored, money]]);
  });

  test('belongs to the external user that is named for it itself', async () => {
    const { stored } = await create({ external_user: 'mine', external: { user: 'other' } });
    expect(stored).toMatchObject({ external_user: 'mine', external: { user: 'other', api_key: null } });
  });

  test.each([
    [NOW.toISOString(), false],
    [SOON, true],
  ])('ends in the future: %s', async (expires_at, isCreated) => {
    const made = create({ expires_at });
    if (isCreated) expect((await made).stored).toMatchObject({ expires_at });
    else await expect(made).rejects.toEqual(pathOf('expires_at', 'must be in the future'));
  });

  test.each([
    [
      new GuardrailMissing('of the key'),
      pathOf('guardrail_id', 'the workspace of the key has no such guardrail'),
    ],
    [
      new WorkspaceMissing('own'),
      expect.objectContaining({
        message: 'The workspace own of the new key does not exist; request a key in another workspace',
        metadata: {},
      }),
    ],
    [new Error('throttled'), expect.objectContaining({ message: 'throttled' })],
  ])('that is refused says why (%#)', async (answer, refusal) => {
    await expect(create({}, answer)).rejects.toEqual(refusal);
  });

  test('that is refused for its workspace names the field that named it', async () => {
    const made = create({}, new WorkspaceMissing('own'), {}, 'scope.workspaces.0');
    await expect(made).rejects.toEqual(pathOf('scope.workspaces.0', 'no such workspace'));
  });
});

describe('a change of a key', () => {
  test('leaves its limit alone, unless it is about it', async () => {
    expect(await change({ name: 'New' })).toEqual(['hash', { name: 'New' }, NOW, undefined]);
    const [hash, rest, at, limitsOf] = await change({ name: 'New', limit: 0.000005 });
    expect([hash, rest, at]).toEqual(['hash', { name: 'New' }, NOW]);
    expect((limitsOf as (account: object) => LimitsChange)(emptyAccount('key#hash'))).toMatchObject({
      limits: { lifetime: { micros: 5 } },
      countsByok: false,
    });
  });

  test('ends it in the future', async () => {
    await expect(change({ expires_at: NOW.toISOString() })).rejects.toThrow(InvalidRequest);
    expect(await change({ expires_at: SOON })).toContainEqual({ expires_at: SOON });
  });

  test.each([
    [new KeyMissing('hash'), expect.objectContaining({ name: 'NotFound', message: 'No such key' })],
    [
      new GuardrailMissing('of the key'),
      pathOf('guardrail_id', 'the workspace of the key has no such guardrail'),
    ],
    [
      new WorkspaceMissing('hash'),
      expect.objectContaining({
        name: 'InvalidRequest',
        message: expect.stringContaining('The workspace of the key has been deleted'),
      }),
    ],
    [new Error('throttled'), expect.objectContaining({ message: 'throttled' })],
  ])('that is refused says why (%#)', async (answer, refusal) => {
    await expect(change({ name: 'New' }, answer)).rejects.toEqual(refusal);
  });
});

describe('a management key made with AWS credentials', () => {
  test('makes the default workspace once, and acts in it', async () => {
    const { stores } = await startKeys([]);
    const made = [];
    const accounts = [];
    for (const name of ['First', 'Second']) {
      const hash = hashKey(await createManagementKey({ ...stores, guardrails: noGuardrails }, name, NOW));
      made.push(await stores.keys.find(hash));
      accounts.push(await stores.accounts.readOne(keyAccount(hash)));
    }
    expect(made).toMatchObject(
      ['First', 'Second'].map((name) => ({ name, kind: 'management', workspace_id: DEFAULT_WORKSPACE_ID })),
    );
    expect(accounts).toMatchObject([1, 2].map(() => ({ limits: {}, counts_byok: false })));
  });

  test('is not made where its workspace cannot be', async () => {
    const { stores } = await startKeys();
    const create = () => Promise.reject(new Error('throttled'));
    const workspaces = Object.assign(stores.workspaces, { create });
    await expect(createManagementKey({ ...stores, workspaces }, 'First', NOW)).rejects.toThrow('throttled');
    expect(await Array.fromAsync(stores.keys.list())).toEqual([]);
  });
});

test('where keys cannot name guardrails, none does', () => {
  expect(() => noGuardrails.naming('g', 'w')).toThrow(
    'a key names the guardrail g, but this function has no guardrails',
  );
});

test('a path names a key by its hash', () => {
  expect(checkedKeyHash('0'.repeat(64))).toBe('0'.repeat(64));
  for (const text of ['', '0'.repeat(63), 'g'.repeat(64)])
    expect(() => checkedKeyHash(text)).toThrow(NotFound);
});

describe('a scope', () => {
  const WIDE = { workspaces: [OTHER], operations: ['read'], networks: ['10.0.0.0/8'] };

  test('is stored with its key, which acts in the first of its workspaces', async () => {
    const { stored } = await create({ management: true, scope: WIDE });
    expect(stored).toMatchObject({ scope: WIDE, workspace_id: OTHER });
  });

  test('is no wider than that of the key that makes it', async () => {
    const maker = { scope: { ...UNLIMITED, operations: ['keys', 'read'] as const } };
    const refusal = expect.objectContaining({ metadata: { path: 'scope.operations' } });
    await expect(create({ scope: { operations: ['generate'] } }, undefined, maker)).rejects.toEqual(refusal);
    expect((await create({}, undefined, maker)).stored.scope.operations).toEqual(['read']);
  });

  test.each<[object, string]>([
    [{ scope: { workspaces: [OTHER] } }, 'scope.workspaces'],
    [{ scope: { operations: ['money'] } }, 'scope.operations'],
    [{ management: true, workspace_id: 'w', scope: { workspaces: [OTHER] } }, 'workspace_id'],
  ])('cannot be %j', async (fields, path) => {
    await expect(create(fields)).rejects.toEqual(expect.objectContaining({ metadata: { path } }));
  });

  test.each([
    { operations: [] },
    { operations: ['all'] },
    { networks: ['10.0.0.0/33'] },
    { networks: Array.from({ length: 21 }, () => '::/0') },
    { Operations: ['read'] },
    { expires_at: null },
    'read',
    null,
  ])('is not read from %j', (scope) => {
    expect(v.safeParse(newKeySchema, { name: 'Mine', scope }).success).toBe(false);
  });
});
