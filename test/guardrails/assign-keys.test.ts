import { beforeEach, describe, expect, test } from '@jest/globals';
import { assignKeys, listAssignments } from '../../functions/guardrails/assign-keys.ts';
import { createGuardrail } from '../../functions/guardrails/change-guardrail.ts';
import { UNLIMITED } from '../../functions/http/scope.ts';
import { KeyStore, type StoredKey } from '../../functions/keys/key-store.ts';
import { ownGuardrailId } from '../../functions/workspaces/workspace.ts';
import { NOW, startKeys, WORKSPACE } from '../keys/key-world.ts';
import { aGuardrail } from './a-policy.ts';

const OTHER = { ...WORKSPACE, id: '0b6f7c9e-9a52-4d0f-9d0f-5b1c1f0a0002', slug: 'other' };
const RAIL = '11111111-1111-4111-8111-111111111111';
const OTHERS = '22222222-2222-4222-8222-222222222222';
const LATER = new Date(NOW.getTime() + 60_000);

const admin = {
  kind: 'management',
  keyHash: 'admin',
  workspaceId: WORKSPACE.id,
  scope: UNLIMITED,
  endsAt: null,
} as const;
/** May act in one workspace alone. */
const limited = { ...admin, scope: { ...UNLIMITED, workspaces: [WORKSPACE.id] } };

let it: Awaited<ReturnType<typeof start>>;
async function start() {
  const world = await startKeys([WORKSPACE, OTHER]);
  const { stores, dynamo: client } = world;
  const ports = { ...stores, client, now: () => LATER };
  for (const [id, { id: workspace_id }] of [
    [RAIL, WORKSPACE],
    [OTHERS, OTHER],
  ] as const) {
    await createGuardrail(aGuardrail({ id, workspace_id }), ports);
  }
  const find = (key: StoredKey) => stores.keys.find(key.hash);
  return { ...world, ports, find };
}
beforeEach(async () => {
  it = await start();
});

const hashesOf = (keys: readonly StoredKey[]) => keys.map(({ hash }) => hash);
const assign = (keys: readonly StoredKey[], caller: typeof admin | typeof limited = admin, id = RAIL) =>
  assignKeys(caller, { guardrailId: id, hashes: hashesOf(keys) }, it.ports);
const release = (keys: readonly StoredKey[], caller: typeof admin | typeof limited = admin, id = RAIL) =>
  assignKeys(caller, { guardrailId: id, hashes: hashesOf(keys), release: true }, it.ports);
const PAGE = { offset: 0, limit: 50 };
async function listed(caller: typeof admin | typeof limited = admin, page = PAGE) {
  const { data, total_count } = await listAssignments(caller, undefined, page, it.ports);
  return [data.map(({ key_hash }) => key_hash), total_count];
}

describe('keys', () => {
  test('are given a guardrail of their workspace, each once', async () => {
    const [first, second] = [await it.begun(), await it.begun({ disabled: true })];
    expect(await assign([first, second, first])).toEqual([first, second]);
    for (const key of [first, second]) {
      const since = { guardrail_id: RAIL, guardrail_since: LATER.toISOString() };
      expect(await it.find(key)).toEqual({ ...key, ...since, updated_at: LATER.toISOString() });
    }
    expect(await assign([first], admin, ownGuardrailId(WORKSPACE.id))).toHaveLength(1);
    expect((await it.find(first))?.guardrail_id).toBe(ownGuardrailId(WORKSPACE.id));
  });

  test('are released from it, if they have it', async () => {
    const keys = [await it.begun({ guardrail_id: RAIL }), await it.begun()];
    const elsewhere = await it.begun({ guardrail_id: ownGuardrailId(WORKSPACE.id) });
    expect(await release([...keys, elsewhere])).toEqual(keys.slice(0, 1));
    expect((await it.find(keys[0]!))?.guardrail_id).toBeNull();
    expect(await it.find(elsewhere)).toEqual(elsewhere);
    expect(await release(keys)).toEqual([]);
  });

  test('get it all or none', async () => {
    const [mine, theirs] = [await it.begun(), await it.begun({ workspace_id: OTHER.id })];
    await expect(assign([mine, theirs])).rejects.toThrow(
      'key_hashes.1: does not belong to the workspace of the guardrail',
    );
    await expect(
      assignKeys(admin, { guardrailId: RAIL, hashes: [mine.hash, 'none'] }, it.ports),
    ).rejects.toThrow('key_hashes.1: no such key');
    await expect(
      assignKeys(admin, { guardrailId: RAIL, hashes: [mine.hash, mine.hash, 'none'] }, it.ports),
    ).rejects.toThrow('key_hashes.2: no such key');
    expect(await it.find(mine)).toEqual(mine);
  });

  test('get no guardrail that is deleted meanwhile', async () => {
    const key = await it.begun();
    const guardrails = {
      ...it.ports.guardrails,
      find: async () => aGuardrail({ id: OTHERS, workspace_id: WORKSPACE.id }),
    };
    const naming = it.ports.guardrails.naming.bind(it.ports.guardrails);
    const asked = { guardrailId: OTHERS, hashes: [key.hash] };
    const ports = { ...it.ports, guardrails: { ...guardrails, naming } };
    await expect(assignKeys(admin, asked, ports)).rejects.toThrow('No such guardrail');
    expect(await it.find(key)).toEqual(key);
  });

  test('of a deleted workspace get none', async () => {
    const key = await it.begun();
    await it.loseWorkspace();
    await expect(assign([key])).rejects.toThrow('The workspace of the keys has been deleted');
    expect(await it.find(key)).toEqual(key);
  });

  test.each([admin, limited])('are not released from what they were given meanwhile (%#)', async (caller) => {
    const key = await it.begun({ guardrail_id: RAIL });
    const own = ownGuardrailId(WORKSPACE.id);
    let times = 0;
    class Disturbed extends KeyStore {
      override async read(hashes: readonly string[]) {
        const read = await super.read(hashes);
        if (times++ === 0) await it.lives.change(key.hash, { guardrail_id: own }, NOW);
        return read;
      }
    }
    const keys = new Disturbed(it.dynamo, it.tables.keys);
    const asked = { guardrailId: RAIL, hashes: [key.hash], release: true };
    expect(await assignKeys(caller, asked, { ...it.ports, keys })).toEqual([]);
    expect([(await it.find(key))?.guardrail_id, times]).toEqual([own, 2]);
  });
});

describe('a key that is limited to one workspace', () => {
  test('neither finds the guardrails of another, nor its keys', async () => {
    const [mine, theirs] = [
      await it.begun(),
      await it.begun({ workspace_id: OTHER.id, guardrail_id: OTHERS }),
    ];
    for (const change of [assign, release]) {
      await expect(change([mine], limited, OTHERS)).rejects.toThrow('No such guardrail');
      await expect(change([mine], limited, ownGuardrailId(OTHER.id))).rejects.toThrow('No such guardrail');
      await expect(change([mine, theirs], limited)).rejects.toThrow('key_hashes.1: no such key');
    }
    expect([await it.find(mine), await it.find(theirs)]).toEqual([mine, theirs]);
    expect(await assign([mine], limited)).toHaveLength(1);
    expect(await release([mine], limited)).toHaveLength(1);
  });

  test('changes neither itself nor a key that may do more', async () => {
    const scope = { ...UNLIMITED, workspaces: [WORKSPACE.id] };
    const self = await it.begun({ kind: 'management', scope });
    const caller = {
      ...limited,
      keyHash: self.hash,
      scope: { ...scope, operations: ['keys', 'read'] as const },
    };
    await expect(assign([self], caller as never)).rejects.toThrow(
      'A key with a restricted scope cannot update itself',
    );
    const stronger = await it.begun();
    await expect(assign([stronger], caller as never)).rejects.toThrow(
      `lacks operation groups of the key ${stronger.hash}`,
    );
    const everywhere = await it.begun({ kind: 'management' });
    await expect(assign([everywhere], limited)).rejects.toThrow('no such key');
  });

  test('sees its own assignments alone', async () => {
    const mine = await it.begun({ guardrail_id: RAIL });
    const theirs = await it.begun({ workspace_id: OTHER.id, guardrail_id: OTHERS });
    const everywhere = await it.begun({ kind: 'management', guardrail_id: RAIL });
    expect(await listed(limited)).toEqual([[mine.hash], 1]);
    const [all, total] = await listed();
    expect([new Set(all as string[]), total]).toEqual([new Set(hashesOf([mine, theirs, everywhere])), 3]);
  });
});

test('assignments are listed oldest key first, by pages, of all guardrails or of one', async () => {
  const keys: StoredKey[] = [];
  for (let i = 0; i < 3; i++) {
    const created_at = new Date(NOW.getTime() - i * 1000).toISOString();
    keys.unshift(await it.begun({ guardrail_id: RAIL, created_at, name: `${i}` }));
  }
  await it.begun();
  const other = await it.begun({
    guardrail_id: ownGuardrailId(WORKSPACE.id),
    created_at: '2031-01-01T00:00:00Z',
  });
  expect(await listed()).toEqual([[...hashesOf(keys), other.hash], 4]);
  expect(await listed(admin, { offset: 1, limit: 2 })).toEqual([hashesOf(keys.slice(1)), 4]);
  const one = await listAssignments(admin, { id: RAIL, workspace_id: WORKSPACE.id }, PAGE, it.ports);
  expect(one.total_count).toBe(3);
  expect(one.data[0]).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5/),
    guardrail_id: RAIL,
    key_hash: keys[0]?.hash,
    key_name: '2',
    key_label: keys[0]?.label,
    assigned_by: null,
    created_at: keys[0]?.created_at,
  });
  expect(new Set(one.data.map(({ id }) => id)).size).toBe(3);
});
