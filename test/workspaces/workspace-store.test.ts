import { expect, test } from '@jest/globals';
import { transact } from '../../functions/aws/dynamo-writes.ts';
import { defaultWorkspace } from '../../functions/workspaces/workspace.ts';
import { WorkspaceStore } from '../../functions/workspaces/workspace-store.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { AwsWorld } from '../engines/index.ts';
import { listsOf } from '../lists/lists-of.ts';

const NOW = new Date('2030-01-01T00:00:00Z');

/** A store with one workspace. */
async function start(world = new AwsWorld()) {
  const stage = new DeployedStage(world);
  const { dynamo } = world.startProcess();
  const workspaces = new WorkspaceStore(dynamo, stage.name('Workspaces'));
  const lists = listsOf(dynamo, stage);
  const created = defaultWorkspace(NOW, 'test');
  await workspaces.create(created, lists);
  return { dynamo, workspaces, lists, created };
}

test('a change of a workspace is refused once another one came first, and keeps the count of its keys', async () => {
  const { dynamo, workspaces, created } = await start();
  const before = (await workspaces.findById(created.id))!;
  await transact(dynamo, { key: workspaces.countKeys(created.id, 1) });
  expect(await workspaces.replace(before, { ...before, name: 'late' })).toBe(false);
  const latest = (await workspaces.findById(created.id))!;
  expect(await workspaces.replace(latest, { ...latest, name: 'new' })).toBe(true);
  expect(await workspaces.findById(created.id)).toMatchObject({ name: 'new', live_keys: 1 });
});

test('a workspace is created once, whatever slug the second attempt asks for', async () => {
  const { workspaces, lists, created } = await start();
  await workspaces.create({ ...created, slug: 'second', name: 'Second' }, lists);
  expect(await workspaces.findById(created.id)).toMatchObject(created);
  expect(await workspaces.findBySlug('second')).toBeUndefined();
});

test('a workspace is found as soon as it is created, by its id and by its slug', async () => {
  const { workspaces, created } = await start(new AwsWorld({ lag: () => 60_000 }));
  expect(await workspaces.findById(created.id)).toMatchObject(created);
  expect(await workspaces.findBySlug(created.slug)).toMatchObject(created);
});
