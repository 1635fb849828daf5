import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from '@jest/globals';
import { transact } from '../../functions/aws/dynamo-writes.ts';
import { REMOVAL_LISTING } from '../../functions/tables.ts';
import { RemovalStore } from '../../functions/workspaces/removal-store.ts';
import { defaultWorkspace, type StoredWorkspace } from '../../functions/workspaces/workspace.ts';
import { WorkspaceStore } from '../../functions/workspaces/workspace-store.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { AwsWorld } from '../engines/index.ts';
import { listsOf } from '../lists/lists-of.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const ID = '0b6f7c9e-9a52-4d0f-9d0f-5b1c1f0a0002';

/** A workspace that nobody has begun to delete. */
async function start() {
  const world = new AwsWorld();
  const stage = new DeployedStage(world);
  const { dynamo } = world.startProcess();
  const workspaces = new WorkspaceStore(dynamo, stage.name('Workspaces'));
  const removals = new RemovalStore(dynamo, stage.name('Workspaces'));
  const lists = listsOf(dynamo, stage);
  const create = (id: string) =>
    workspaces.create({ ...defaultWorkspace(NOW, 'test'), id, slug: 'mine' }, lists);
  await create(ID);
  const write = (items: Parameters<typeof transact>[1]) => transact(dynamo, items);
  const begin = (read: Pick<StoredWorkspace, 'id' | 'version'>) => removals.begin(read, NOW, {}, write);
  const read = await workspaces.findById(ID);
  if (read === undefined) throw new Error('the workspace was not created');
  return { world, stage, workspaces, removals, create, write, begin, read };
}

let it: Awaited<ReturnType<typeof start>>;
beforeEach(async () => {
  it = await start();
});

const removal = { id: ID, slug: 'mine', removed_at: NOW.toISOString(), slug_freed: false };

test('the removal of a workspace begins once, and not for one that got a key since it was read', async () => {
  await it.write({ key: it.workspaces.countKeys(ID, 1) });
  expect(await it.begin(it.read)).toBe(false);
  expect(await it.workspaces.findById(ID)).toMatchObject({ live_keys: 1 });
  const latest = (await it.workspaces.findById(ID))!;
  expect(await it.begin(latest)).toBe(true);
  expect(await it.workspaces.findById(ID)).toBeUndefined();
  expect([await it.begin(latest), await it.begin({ ...latest, version: latest.version + 1 })]).toEqual([
    false,
    false,
  ]);
});

test('a workspace that is being removed gets no key', async () => {
  await it.begin(it.read);
  await expect(it.write({ workspace: it.workspaces.countKeys(ID, 1) })).rejects.toThrow('do not hold');
});

test('a workspace that is being removed broadcasts nothing', async () => {
  const { id, version } = it.read;
  await it.workspaces.replace(it.read, { ...it.read, is_observability_broadcast_enabled: true });
  expect(await it.workspaces.wantsBroadcasts(ID)).toBe(true);
  await it.begin({ id, version: version + 1 });
  expect(await it.workspaces.wantsBroadcasts(ID)).toBe(false);
});

test('the slug of a workspace that nobody deletes stays', async () => {
  await it.removals.freeSlug(removal);
  expect(await it.workspaces.findBySlug('mine')).toMatchObject({ id: ID });
});

test('a freed slug that another workspace has taken stays with that one', async () => {
  await it.begin(it.read);
  await it.removals.freeSlug(removal);
  const other = '0b6f7c9e-9a52-4d0f-9d0f-5b1c1f0a0003';
  await it.create(other);
  await it.removals.freeSlug(removal);
  expect(await it.workspaces.findBySlug('mine')).toMatchObject({ id: other });
});

test('a removal that cannot be read is told, and hides no other', async () => {
  await it.begin(it.read);
  const { dynamo } = it.world.startProcess();
  const damaged = {
    pk: 'WORKSPACE#damaged',
    id: 'damaged',
    listing: REMOVAL_LISTING,
    created_at: 'long ago',
  };
  await dynamo.send(new PutCommand({ TableName: it.stage.name('Workspaces'), Item: damaged }));
  const told: unknown[] = [];
  const found = await Array.fromAsync(it.removals.list((id, fields) => told.push(id, fields)));
  expect([found.map(({ id }) => id), told]).toEqual([[ID], ['damaged', ['slug', 'removed_at']]]);
});
