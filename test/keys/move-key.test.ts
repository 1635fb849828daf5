import { beforeEach, describe, expect, test } from '@jest/globals';
import { createGuardrail } from '../../functions/guardrails/change-guardrail.ts';
import { UNLIMITED } from '../../functions/http/scope.ts';
import { changeKey } from '../../functions/keys/change-key.ts';
import { DeadKeys, TargetMissing, WorkspaceMissing } from '../../functions/keys/key-lives.ts';
import { assertInScope } from '../../functions/keys/key-scope.ts';
import type { StoredKey } from '../../functions/keys/key-store.ts';
import { keyAccount } from '../../functions/money/account.ts';
import { micros } from '../../functions/money/micros.ts';
import { ownGuardrailId } from '../../functions/workspaces/workspace.ts';
import { aGuardrail } from '../guardrails/a-policy.ts';
import { NOW, startKeys, WORKSPACE } from './key-world.ts';
import { storedKey } from './stored-key.ts';

const OTHER = { ...WORKSPACE, id: '0b6f7c9e-9a52-4d0f-9d0f-5b1c1f0a0002', slug: 'other' };
const RAIL = '11111111-1111-4111-8111-111111111111';
const NOWHERE = '33333333-3333-4333-8333-333333333333';

let it: Awaited<ReturnType<typeof startKeys>>;
beforeEach(async () => {
  it = await startKeys([WORKSPACE, OTHER]);
  const { stores, dynamo: client } = it;
  const ports = { ...stores, client, now: () => NOW };
  await createGuardrail(aGuardrail({ id: RAIL, workspace_id: OTHER.id }), ports);
});

const move = ({ hash }: StoredKey, change: object = {}) =>
  it.lives.change(hash, { workspace_id: OTHER.id, ...change }, NOW);
const find = ({ hash }: StoredKey) => it.stores.keys.find(hash);
async function placesOf({ hash }: StoredKey) {
  const lives = async (id: string) => (await it.stores.workspaces.findById(id))?.live_keys;
  const asked = { offset: 0, limit: 10, kinds: ['enabled'] };
  const lists = ['keys', `keys/${WORKSPACE.id}`, `keys/${OTHER.id}`];
  const pages = await Promise.all(lists.map((list) => it.stores.lists.page(list, asked)));
  return {
    counted: [await lives(WORKSPACE.id), await lives(OTHER.id)],
    listed: pages.map((page) => page?.ids.includes(hash) ?? false),
  };
}

describe('a key that moves', () => {
  test('is counted and listed where it is, and keeps its limit and what it has used', async () => {
    const key = storedKey({ workspace_id: WORKSPACE.id });
    const daily = { micros: micros(5), created_at: NOW.toISOString(), updated_at: NOW.toISOString() };
    await it.lives.begin(key, { limits: { daily }, countsByok: true });
    const account = await it.stores.accounts.readOne(keyAccount(key.hash));
    expect(await placesOf(key)).toEqual({ counted: [1, 0], listed: [true, true, false] });
    await move(key);
    expect(await find(key)).toMatchObject({ ...key, workspace_id: OTHER.id, updated_at: NOW.toISOString() });
    expect(await placesOf(key)).toEqual({ counted: [0, 1], listed: [true, false, true] });
    expect(await it.stores.accounts.readOne(keyAccount(key.hash))).toEqual(account);
    const asOfItself = [];
    for await (const { hash } of it.stores.keys.list({ workspaceId: OTHER.id })) asOfItself.push(hash);
    expect(asOfItself).toEqual([key.hash]);
  });

  test('counts nowhere while it is disabled, and where it is once it is enabled on the way', async () => {
    const key = await it.begun();
    await it.lives.change(key.hash, { disabled: true }, NOW);
    await move(key);
    expect(await placesOf(key)).toEqual({ counted: [0, 0], listed: [false, false, false] });
    await it.lives.change(key.hash, { workspace_id: WORKSPACE.id, disabled: false }, NOW);
    expect(await placesOf(key)).toEqual({ counted: [1, 0], listed: [true, true, false] });
  });

  test('leaves its guardrail behind, and may name one where it goes', async () => {
    const key = await it.begun({ guardrail_id: ownGuardrailId(WORKSPACE.id) });
    await expect(move(key, { guardrail_id: ownGuardrailId(WORKSPACE.id) })).rejects.toThrow('of the key');
    await it.lives.change(key.hash, { workspace_id: WORKSPACE.id }, NOW);
    expect((await find(key))?.guardrail_id).toBe(ownGuardrailId(WORKSPACE.id));
    await move(key);
    expect((await find(key))?.guardrail_id).toBeNull();
    await it.lives.change(key.hash, { workspace_id: WORKSPACE.id }, NOW);
    await move(key, { guardrail_id: RAIL });
    expect(await find(key)).toMatchObject({ workspace_id: OTHER.id, guardrail_id: RAIL });
  });

  test('is out of reach for a manager who has found it where it was', async () => {
    const key = await it.begun();
    await move(key);
    const moved = await find(key);
    for (const change of [{ name: 'Mine' }, { limit: micros(1) }, { disabled: true }, { guardrail_id: null }])
      await expect(changeKey(key.hash, change, it.lives, NOW, WORKSPACE.id)).rejects.toThrow('No such key');
    const back = { workspace_id: WORKSPACE.id };
    await expect(changeKey(key.hash, back, it.lives, NOW, WORKSPACE.id)).rejects.toThrow('No such key');
    expect(await it.lives.end(key.hash, WORKSPACE.id)).toBe(false);
    expect(await find(key)).toEqual(moved);
    await changeKey(key.hash, { name: 'Theirs' }, it.lives, NOW, OTHER.id);
    expect(await it.lives.end(key.hash, OTHER.id)).toBe(true);
  });

  test('needs both workspaces', async () => {
    const key = await it.begun();
    await expect(move(key, { workspace_id: NOWHERE })).rejects.toThrow(TargetMissing);
    await expect(changeKey(key.hash, { workspace_id: NOWHERE }, it.lives, NOW)).rejects.toThrow(
      'workspace_id: no such workspace',
    );
    await it.loseWorkspace();
    await expect(move(key)).rejects.toThrow(WorkspaceMissing);
    await expect(move(key, { disabled: true })).rejects.toThrow(WorkspaceMissing);
    expect(await find(key)).toEqual(key);
  });

  test('is not removed with the workspace that it has left, though an index still shows it there', async () => {
    const key = await it.begun({ disabled: true });
    await move(key);
    const stale = {
      ...it.stores.keys,
      read: async () => [key],
      deletion: it.stores.keys.deletion.bind(it.stores.keys),
    };
    let shown = 0;
    async function* list() {
      if (shown++ === 0) yield key;
    }
    for await (const _ of new DeadKeys({ ...stale, list }, it.stores.lists).removeAll(WORKSPACE.id));
    expect((await find(key))?.workspace_id).toBe(OTHER.id);
  });
});

test('a management key that is limited to some workspaces moves to one of these', () => {
  const scope = { ...UNLIMITED, workspaces: [WORKSPACE.id] };
  expect(() => assertInScope(scope, WORKSPACE.id)).not.toThrow();
  expect(() => assertInScope(UNLIMITED, OTHER.id)).not.toThrow();
  expect(() => assertInScope(scope, OTHER.id)).toThrow(
    'workspace_id: must be one of the scope.workspaces of the key',
  );
});
