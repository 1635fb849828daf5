import { beforeEach, describe, expect, test } from '@jest/globals';
import { ownGuardrail } from '../../functions/guardrails/guardrail.ts';
import { GuardrailStore } from '../../functions/guardrails/guardrail-store.ts';
import { Conflict, InvalidRequest, NotFound } from '../../functions/http/errors.ts';
import { UNLIMITED } from '../../functions/http/scope.ts';
import { GuardrailMissing } from '../../functions/keys/key-lives.ts';
import { KeyStore } from '../../functions/keys/key-store.ts';
import { guardrailAccount } from '../../functions/money/account.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import { micros } from '../../functions/money/micros.ts';
import { defaultWorkspace, ownGuardrailId } from '../../functions/workspaces/workspace.ts';
import { WorkspaceStore } from '../../functions/workspaces/workspace-store.ts';
import { waitBy } from '../aws/virtual-waits.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { AwsWorld } from '../engines/index.ts';
import { storedKey } from '../keys/stored-key.ts';
import { listsOf } from '../lists/lists-of.ts';
import { aGuardrail } from './a-policy.ts';

const anybody = { kind: 'management', workspaceId: '', scope: UNLIMITED } as const;

const NOW = new Date('2030-01-01T00:00:00Z');
const WORKSPACE = defaultWorkspace(NOW, 'test');
const OTHER = { ...WORKSPACE, id: '0b6f7c9e-9a52-4d0f-9d0f-5b1c1f0a0002', slug: 'other' };
const ID = '11111111-1111-4111-8111-111111111111';

waitBy(new AwsWorld());
const { changeGuardrail, createGuardrail } = await import('../../functions/guardrails/change-guardrail.ts');
const { removeGuardrail } = await import('../../functions/guardrails/change-guardrail.ts');
const { findGuardrail } = await import('../../functions/guardrails/find-guardrail.ts');
const { KeyLives } = await import('../../functions/keys/key-lives.ts');
const { changeKey } = await import('../../functions/keys/change-key.ts');
const { findNamingKey } = await import('../../functions/keys/find-key.ts');
const { changeWorkspace } = await import('../../functions/workspaces/change-workspace.ts');

async function start(seed = 1, lag = 0) {
  const world = new AwsWorld({ seed, lag: (of) => (of === 'indexes' ? lag : 0) });
  waitBy(world);
  const stage = new DeployedStage(world);
  const { dynamo } = world.startProcess();
  const accounts = new AccountStore(dynamo, stage.name('Accounts'));
  const workspaces = new WorkspaceStore(dynamo, stage.name('Workspaces'));
  const guardrails = new GuardrailStore(dynamo, stage.name('Guardrails'));
  for (const each of [WORKSPACE, OTHER]) await workspaces.create(each, listsOf(dynamo, stage));
  const keys = new KeyStore(dynamo, stage.name('Keys'));
  const lists = listsOf(dynamo, stage);
  const lives = new KeyLives({ keys, lists, accounts, workspaces, guardrails });
  const namingKey = (id: string, workspaceId: string) => findNamingKey(id, workspaceId, { keys, lists });
  const ports = { client: dynamo, accounts, workspaces, guardrails, lists, namingKey, now: () => NOW };
  const account = (id = ID) => accounts.readOne(guardrailAccount(id));
  return { ports, account, keys, lives, ...ports };
}

let it: Awaited<ReturnType<typeof start>>;
beforeEach(async () => {
  it = await start();
});

const make = (change = {}) =>
  createGuardrail(
    aGuardrail({
      id: ID,
      workspace_id: WORKSPACE.id,
      name: 'Kids',
      created_at: NOW.toISOString(),
      ...change,
    }),
    it.ports,
  );
const name = (id: string | null, workspace = WORKSPACE.id) =>
  changeWorkspace(anybody, workspace, { default_guardrail_id: id }, it.ports);

const NO_LIMIT = { limits: {}, countsByok: false };
/** Creates a key and returns its hash. */
async function aKey(workspace_id = WORKSPACE.id): Promise<string> {
  const key = storedKey({ workspace_id });
  await it.lives.begin(key, NO_LIMIT);
  return key.hash;
}
const nameBy = (hash: string, guardrail_id: string | null) =>
  changeKey(hash, { guardrail_id }, it.lives, NOW);

describe('the limit of a guardrail', () => {
  test('is the limit of its account, with its reset interval', async () => {
    await make({ limit_micros: 70, reset_interval: 'weekly', include_byok_in_budgets: true });
    expect(await it.account()).toMatchObject({ limits: { weekly: { micros: 70 } }, counts_byok: true });
    await changeGuardrail(anybody, ID, { reset_interval: 'daily' }, it.ports);
    expect((await it.account()).limits).toEqual({ daily: expect.objectContaining({ micros: 70 }) });
    await changeGuardrail(anybody, ID, { limit_usd: micros(30), reset_interval: null }, it.ports);
    expect((await it.account()).limits).toEqual({ lifetime: expect.objectContaining({ micros: 30 }) });
    await changeGuardrail(anybody, ID, { limit_usd: null }, it.ports);
    expect(await it.account()).toMatchObject({ limits: {}, limits_version: 4 });
  });

  test('that does not change leaves the account unchanged, even if there is none', async () => {
    await make();
    await changeGuardrail(anybody, ID, { name: 'Children', allowed_models: ['sandbox/clip-1'] }, it.ports);
    expect(await it.account()).toMatchObject({ limits_version: 0 });
  });

  test('and all other fields of simultaneous changes are stored', async () => {
    await make();
    const changes = [
      { limit_usd: micros(5) },
      { name: 'A' },
      { ignored_models: ['a/b'] },
      { description: 'd' },
    ];
    await Promise.all(changes.map((change) => changeGuardrail(anybody, ID, change, it.ports)));
    expect(await it.guardrails.find(ID)).toMatchObject({
      limit_micros: 5,
      name: 'A',
      ignored_models: ['a/b'],
      description: 'd',
      updated_at: NOW.toISOString(),
      version: 5,
    });
    expect((await it.account()).limits).toMatchObject({ lifetime: { micros: 5 } });
  });
});

describe('a workspace’s own guardrail', () => {
  const own = ownGuardrailId(WORKSPACE.id);

  test('exists without a row, and gets one at its first change', async () => {
    expect(await findGuardrail(anybody, own.toUpperCase(), it.ports)).toEqual(ownGuardrail(WORKSPACE));
    const { ports } = await start(1, 60_000);
    expect(await findGuardrail(anybody, own, ports)).toEqual(ownGuardrail(WORKSPACE));
    expect(await it.guardrails.find(own)).toBeUndefined();
    await Promise.all([
      changeGuardrail(anybody, own, { limit_usd: micros(9) }, it.ports),
      changeGuardrail(anybody, own, { allowed_providers: ['fal'] }, it.ports),
    ]);
    expect(await findGuardrail(anybody, own, it.ports)).toMatchObject({
      workspace_id: WORKSPACE.id,
      limit_micros: 9,
      allowed_providers: ['fal'],
      version: 2,
    });
    expect((await it.account(own)).limits).toMatchObject({ lifetime: { micros: 9 } });
  });

  test('is never deleted, with a row or without', async () => {
    await expect(removeGuardrail(anybody, own, it.ports)).rejects.toThrow(Conflict);
    await changeGuardrail(anybody, own, { name: 'Mine' }, it.ports);
    await expect(removeGuardrail(anybody, own, it.ports)).rejects.toThrow(Conflict);
  });
});

describe('a guardrail', () => {
  test('is created in an existing workspace', async () => {
    const nowhere = make({ workspace_id: '0b6f7c9e-9a52-4d0f-9d0f-5b1c1f0a0003', limit_micros: 5 });
    await expect(nowhere).rejects.toThrow(InvalidRequest);
    expect(await it.guardrails.find(ID)).toBeUndefined();
    expect(await it.account()).toMatchObject({ limits_version: 0 });
  });

  test.each(['nothing', ID, ownGuardrailId(ID)])('that does not exist is not found: %s', async (id) => {
    await expect(findGuardrail(anybody, id, it.ports)).rejects.toThrow(NotFound);
    await expect(changeGuardrail(anybody, id, { name: 'A' }, it.ports)).rejects.toThrow(NotFound);
    await expect(removeGuardrail(anybody, id, it.ports)).rejects.toThrow(NotFound);
  });

  test('can only be named by its own workspace', async () => {
    await make();
    await expect(name(ID, OTHER.id)).rejects.toMatchObject({
      status: 400,
      metadata: { path: 'default_guardrail_id' },
    });
    expect((await name(ID)).default_guardrail_id).toBe(ID);
    expect((await name(null)).default_guardrail_id).toBe(ownGuardrailId(WORKSPACE.id));
    expect((await name(ownGuardrailId(WORKSPACE.id))).default_guardrail_id).toBe(
      ownGuardrailId(WORKSPACE.id),
    );
  });

  test('can be deleted as soon as its workspace names another', async () => {
    await make();
    await name(ID);
    await expect(removeGuardrail(anybody, ID, it.ports)).rejects.toThrow(Conflict);
    await name(null);
    await removeGuardrail(anybody, ID, it.ports);
    await expect(name(ID)).rejects.toThrow('this workspace has no such guardrail');
    await expect(removeGuardrail(anybody, ID, it.ports)).rejects.toThrow(NotFound);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'that is named and deleted at once is either named or deleted (%i)',
    async (seed) => {
      it = await start(seed);
      await make();
      const [named, deleted] = await Promise.allSettled([name(ID), removeGuardrail(anybody, ID, it.ports)]);
      expect([named.status, deleted.status].toSorted()).toEqual(['fulfilled', 'rejected']);
      const { default_guardrail_id: goesBy } = (await it.workspaces.findById(WORKSPACE.id))!;
      const isThere = (await it.guardrails.find(ID)) !== undefined;
      expect(goesBy === ID).toBe(isThere);
    },
  );

  test('can only be named by keys of its own workspace', async () => {
    await make();
    const begin = (workspace_id: string, guardrail_id: string) =>
      it.lives.begin(storedKey({ workspace_id, guardrail_id }), NO_LIMIT);
    await begin(WORKSPACE.id, ID);
    await expect(begin(OTHER.id, ID)).rejects.toThrow(GuardrailMissing);
    await expect(begin(OTHER.id, ownGuardrailId(WORKSPACE.id))).rejects.toThrow(GuardrailMissing);
    await begin(OTHER.id, ownGuardrailId(OTHER.id));
    const hash = await aKey(OTHER.id);
    await expect(nameBy(hash, ID)).rejects.toMatchObject({
      status: 400,
      metadata: { path: 'guardrail_id' },
    });
    expect(await it.keys.find(hash)).toMatchObject({ guardrail_id: null, updated_at: null });
  });

  test('can be deleted as soon as no key names it, however many keys exist', async () => {
    await make();
    const hash = await aKey();
    await nameBy(hash, ID);
    for (let i = 0; i < 205; i++) await aKey();
    await expect(removeGuardrail(anybody, ID, it.ports)).rejects.toThrow(`Key "Test" (${hash}) uses`);
    await changeKey(hash, { disabled: true }, it.lives, NOW);
    await expect(removeGuardrail(anybody, ID, it.ports)).rejects.toThrow(Conflict);
    await nameBy(hash, null);
    await removeGuardrail(anybody, ID, it.ports);
    await expect(nameBy(hash, ID)).rejects.toThrow('the workspace of the key has no such guardrail');
  });

  test('stays if a key starts to name it after the keys were checked', async () => {
    await make();
    const hash = await aKey();
    let looks = 0;
    const namingKey: typeof it.ports.namingKey = async (...guardrail) => {
      const naming = await it.ports.namingKey(...guardrail);
      if (++looks === 1) await nameBy(hash, ID);
      return naming;
    };
    await expect(removeGuardrail(anybody, ID, { ...it.ports, namingKey })).rejects.toThrow(Conflict);
    expect(looks).toBe(2);
    expect(await it.keys.find(hash)).toMatchObject({ guardrail_id: ID });
    expect(await it.guardrails.find(ID)).toBeDefined();
  });

  test('is deleted with its workspace, and guardrails of others are not', async () => {
    await make();
    await make({ id: '22222222-2222-4222-8222-222222222222', workspace_id: OTHER.id });
    await it.guardrails.clear(WORKSPACE.id);
    expect(await Array.fromAsync(it.guardrails.list(WORKSPACE.id))).toEqual([]);
    expect(await Array.fromAsync(it.guardrails.list(OTHER.id))).toHaveLength(1);
  });
});
