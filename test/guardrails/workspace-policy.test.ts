import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { transact } from '../../functions/aws/dynamo-writes.ts';
import { listGuardrails } from '../../functions/guardrails/find-guardrail.ts';
import { ownGuardrail } from '../../functions/guardrails/guardrail.ts';
import { GuardrailStore } from '../../functions/guardrails/guardrail-store.ts';
import { guardrailFor, readPolicy } from '../../functions/guardrails/workspace-policy.ts';
import { defaultWorkspace, type Workspace } from '../../functions/workspaces/workspace.ts';
import { WorkspaceStore } from '../../functions/workspaces/workspace-store.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { AwsWorld, countReads } from '../engines/index.ts';
import { listsOf } from '../lists/lists-of.ts';
import { aGuardrail } from './a-policy.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const WORKSPACE = defaultWorkspace(NOW, 'test');

function start() {
  const world = new AwsWorld();
  const stage = new DeployedStage(world);
  const { dynamo } = world.startProcess();
  const workspaces = new WorkspaceStore(dynamo, stage.name('Workspaces'));
  const guardrails = new GuardrailStore(dynamo, stage.name('Guardrails'));
  const put = (id: string, change = {}) => {
    const row = aGuardrail({ id, workspace_id: WORKSPACE.id, created_at: NOW.toISOString(), ...change });
    return transact(dynamo, { guardrail: guardrails.replacement(row, row) });
  };
  const create = (workspace: Workspace) => workspaces.create(workspace, listsOf(dynamo, stage));
  return { ports: { client: dynamo, workspaces, guardrails }, create, guardrails, put, dynamo };
}

let it: ReturnType<typeof start>;
beforeEach(() => {
  it = start();
});

test('of a workspace that does not exist is undefined', async () => {
  expect(await readPolicy(WORKSPACE.id, it.ports)).toBeUndefined();
});

test('is read in one call if the workspace uses its own guardrail', async () => {
  await it.create({ ...WORKSPACE, default_provider_sort: 'latency' });
  const reads = countReads(it.dynamo);
  expect(await readPolicy(WORKSPACE.id, it.ports)).toEqual({
    sort: 'latency',
    guardrailId: WORKSPACE.default_guardrail_id,
    ownGuardrail: ownGuardrail(WORKSPACE),
    agreesToDiscountLogging: true,
  });
  expect(reads.calls).toBe(1);
  await it.put(WORKSPACE.default_guardrail_id, { ignored_providers: ['fal'] });
  const policy = await readPolicy(WORKSPACE.id, it.ports);
  expect(policy?.ownGuardrail).toMatchObject({ ignored_providers: ['fal'], version: 1 });
  const before = reads.calls;
  expect(await goneBy()).toEqual(policy?.ownGuardrail);
  expect(reads.calls).toBe(before + 1);
});

/** The guardrail that applies to a key of the workspace. @param named the guardrail of the key itself */
async function goneBy(named: string | null = null) {
  const policy = await readPolicy(WORKSPACE.id, it.ports);
  return guardrailFor(named, policy!, (id) => it.guardrails.find(id));
}

test('is that of the guardrail which the workspace names, for keys that name none', async () => {
  const [id, keys] = [randomUUID(), randomUUID()];
  await it.put(keys, { allowed_models: ['c/d'] });
  await it.put(id, { allowed_models: ['a/b'] });
  await it.put(WORKSPACE.default_guardrail_id, { ignored_providers: ['fal'] });
  await it.create({
    ...WORKSPACE,
    default_guardrail_id: id,
    is_data_discount_logging_enabled: false,
  });
  expect(await readPolicy(WORKSPACE.id, it.ports)).toMatchObject({
    guardrailId: id,
    agreesToDiscountLogging: false,
  });
  expect(await goneBy()).toMatchObject({ id, allowed_models: ['a/b'], ignored_providers: null });
  expect(await goneBy(keys)).toMatchObject({ id: keys, allowed_models: ['c/d'], ignored_providers: null });
  expect(await goneBy(WORKSPACE.default_guardrail_id)).toMatchObject({ ignored_providers: ['fal'] });
});

test('allows nothing if the guardrail cannot be found', async () => {
  await it.create({ ...WORKSPACE, default_guardrail_id: randomUUID() });
  await expect(goneBy()).rejects.toThrow('does not exist');
  await expect(goneBy(randomUUID())).rejects.toThrow('does not exist');
});

test('the list begins with the workspace’s own guardrail, once, with or without a row', async () => {
  const [first, second] = [randomUUID(), randomUUID()];
  await it.put(second, { created_at: '2030-01-03T00:00:00.000Z' });
  await it.put(first, { created_at: '2030-01-02T00:00:00.000Z' });
  const ids = async () => (await listGuardrails(WORKSPACE, it.guardrails)).map(({ id }) => id);
  expect(await ids()).toEqual([WORKSPACE.default_guardrail_id, first, second]);
  await it.put(WORKSPACE.default_guardrail_id, { created_at: '2030-01-04T00:00:00.000Z' });
  expect(await ids()).toEqual([WORKSPACE.default_guardrail_id, first, second]);
});
