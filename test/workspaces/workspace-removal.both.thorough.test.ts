import { beforeAll, describe, expect, test } from '@jest/globals';
import { InvalidRequest, NotFound } from '../../functions/http/errors.ts';
import { dynamo, s3 } from '../tested-clients.ts';
import type { WorkspaceWorld as World } from './workspace-world.ts';

const { WorkspaceMissing } = await import('../../functions/keys/key-lives.ts');
const { REST_MILLISECONDS, SECOND_LOOK_MILLISECONDS } = await import(
  '../../functions/workspaces/remove-workspace.ts'
);
const { WorkspaceWorld } = await import('./workspace-world.ts');

let world: World;
beforeAll(async () => {
  world = await WorkspaceWorld.create({ dynamo, s3 });
});

async function* noKeys(): AsyncGenerator<never> {
  // Empty, like an index that lags behind.
}

test('the deletion of a workspace requested many times at once happens once', async () => {
  const { id } = await world.newWorkspace();
  await world.furnish(id);
  const answers = await Promise.allSettled(Array.from({ length: 8 }, () => world.remove(id)));
  expect(answers.some(({ status }) => status === 'fulfilled')).toBe(true);
  for (const each of answers) if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(NotFound);
  expect(await world.settings(id)).toEqual([]);
});

describe('a workspace with keys', () => {
  const now = () => world.now.toISOString();
  const refusal = /has active keys/;

  test('can be deleted once none of them is active', async () => {
    const { id } = await world.newWorkspace();
    const [deleted, disabled, expired] = [
      await world.newKey(id),
      await world.newKey(id),
      await world.newKey(id),
    ];
    await expect(world.remove(id)).rejects.toThrow(/such as "Test" \(sk-gw-v1-/);
    await world.lives.end(deleted);
    await world.lives.change(disabled, { disabled: true }, world.now);
    await expect(world.remove(id)).rejects.toThrow(refusal);
    await world.lives.change(expired, { expires_at: now() }, world.now);
    await world.remove(id);

    for (const change of [{ disabled: false }, { expires_at: null }]) {
      await expect(world.lives.change(expired, change, world.now)).rejects.toThrow(WorkspaceMissing);
    }
    await world.lives.change(expired, { name: 'Old' }, world.now);
    await world.lives.change(expired, { disabled: true }, world.now);
    for (const hash of [disabled, expired]) expect(await world.lives.end(hash)).toBe(true);
    expect(await world.lives.end(expired)).toBe(false);
  });

  test('cannot be deleted although the list of keys does not show them yet', async () => {
    const { id } = await world.newWorkspace();
    const hash = await world.newKey(id);
    const { keys } = world.stores;
    const blind = { find: keys.find.bind(keys), list: () => noKeys() };
    await expect(world.remove(id, undefined, { keys: blind })).rejects.toThrow(InvalidRequest);
    await world.lives.end(hash);
    await world.remove(id, undefined, { keys: blind });
  });

  test('is either deleted or gets a key, if both are requested at once', async () => {
    for (let round = 0; round < 20; round++) {
      const { id } = await world.newWorkspace();
      const [removed, made] = await Promise.allSettled([world.remove(id), world.newKey(id)]);
      expect([removed.status, made.status].sort()).toEqual(['fulfilled', 'rejected']);
    }
  });
});

describe('the data of a deleted workspace', () => {
  beforeAll(async () => {
    world = await WorkspaceWorld.create({ dynamo, s3 });
  });
  const later = () => new Date(world.now.getTime() + REST_MILLISECONDS);

  test('is purged completely after an hour, and nothing of others is', async () => {
    const [mine, other] = [await world.newWorkspace(), await world.newWorkspace()];
    for (const { id } of [mine, other]) await world.furnish(id);
    const before = await world.holdings(other.id);
    await world.remove(mine.id);
    world.now = new Date(later().getTime() - 1);
    await world.sweep();
    expect(await world.holdings(mine.id)).not.toEqual([]);
    world.now = new Date(world.now.getTime() + 1);
    await world.sweep();
    expect(await world.holdings(mine.id)).toEqual([]);
    expect(await world.holdings(other.id)).toEqual(before);
    expect(await world.stores.workspaces.findById(other.id)).toBeDefined();
  });

  test('is purged over several runs if one has too little time', async () => {
    const { id } = await world.newWorkspace();
    await world.furnish(id);
    await world.remove(id);
    world.now = later();
    let runs = 0;
    for (let left = 1; left > 0; runs++) {
      await world.sweep(undefined, 0);
      const remaining = await world.removals();
      left = remaining.length;
      world.now = new Date(world.now.getTime() + SECOND_LOOK_MILLISECONDS);
      expect(runs).toBeLessThan(20);
    }
    expect(runs).toBeGreaterThan(3);
    expect(await world.holdings(id)).toEqual([]);
  });
});
