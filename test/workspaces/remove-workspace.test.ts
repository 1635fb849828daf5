import { beforeEach, expect, test } from '@jest/globals';
import { workspaceAccount } from '../../functions/money/account.ts';
import { AwsWorld } from '../engines/index.ts';
import { WorkspaceWorld } from './workspace-world.ts';

let it: WorkspaceWorld;
beforeEach(async () => {
  it = await WorkspaceWorld.create(new AwsWorld().startProcess());
});

test('a key that has expired keeps nobody from deleting its workspace, and one that expires later does', async () => {
  const { id } = await it.newWorkspace();
  await it.newKey(id, it.now.toISOString());
  const active = await it.newKey(id, new Date(it.now.getTime() + 1).toISOString());
  await expect(it.remove(id)).rejects.toThrow('has active keys');
  expect(await it.stores.accounts.readOne(workspaceAccount(id))).not.toMatchObject({ closed: true });
  it.now = new Date(it.now.getTime() + 1);
  await it.remove(id);
  expect(await it.stores.workspaces.findById(id)).toBeUndefined();
  expect(await it.stores.keys.find(active)).toBeDefined();
});

test('what links lead to is gone once the deletion is answered', async () => {
  const { id } = await it.newWorkspace();
  await it.furnish(id);
  await it.remove(id);
  const left = (await it.holdings(id)).filter((each) => each.startsWith('object'));
  expect(left).toEqual([`object inputs/${id}/a`, `object inputs/${id}/b`]);
});

test('a deletion of too many bytes for one request asks for another, which goes on', async () => {
  const { id } = await it.newWorkspace();
  let left = 30;
  const linked = {
    async *removeAll() {
      for (; left > 0; left--) {
        it.now = new Date(it.now.getTime() + 1_000);
        yield;
      }
    },
  };
  await expect(it.remove(id, undefined, { linked: [linked] })).rejects.toMatchObject({
    status: 503,
    headers: { 'retry-after': '1' },
  });
  expect(await it.stores.workspaces.findById(id)).toBeUndefined();
  expect(left).toBeGreaterThan(0);
  await it.remove(id, undefined, { linked: [linked] });
  expect(left).toBe(0);
  await expect(it.remove(id)).rejects.toThrow('No such workspace');
});

test('no job begins on the account of a deleted workspace', async () => {
  const { id } = await it.newWorkspace();
  await it.remove(id);
  expect(await it.stores.accounts.readOne(workspaceAccount(id))).toMatchObject({ closed: true });
});
