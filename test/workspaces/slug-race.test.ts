import { describe, expect, test } from '@jest/globals';
import { isOverload } from '../../functions/aws/retry.ts';
import type { Workspace } from '../../functions/workspaces/workspace.ts';
import { waitBy } from '../aws/virtual-waits.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { AwsWorld } from '../engines/index.ts';

waitBy(new AwsWorld());
const { SlugTaken } = await import('../../functions/workspaces/workspace-rows.ts');
const { WorkspaceStore } = await import('../../functions/workspaces/workspace-store.ts');
const { listsOf } = await import('../lists/lists-of.ts');
const { createWorkspace } = await import('../../functions/workspaces/workspace.ts');
const { defaultWorkspace } = await import('../../functions/workspaces/workspace.ts');

const NOW = new Date('2026-01-01T00:00:00Z');
const RIVALS = 50;

function start(seed = 1) {
  const world = new AwsWorld({ seed, transactionMilliseconds: 20 });
  waitBy(world);
  const stage = new DeployedStage(world);
  const store = () => {
    const { dynamo } = world.startProcess();
    const workspaces = new WorkspaceStore(dynamo, stage.name('Workspaces'));
    return {
      create: (workspace: Workspace) => workspaces.create(workspace, listsOf(dynamo, stage)),
      replace: workspaces.replace.bind(workspaces),
      findById: workspaces.findById.bind(workspaces),
    };
  };
  return { world, store };
}

const named = (id: string, slug: string) =>
  createWorkspace({ ...defaultWorkspace(NOW, 'test'), slug }, { id, createdBy: 'test', now: NOW });

/** Every transaction has a conflict, however often it is tried. */
const alwaysMet = ({ operation }: { operation: string }) =>
  operation === 'TransactWriteItems' ? ('conflict' as const) : undefined;

describe('one slug', () => {
  test.each([1, 2, 3, 4, 5])(
    'requested by fifty at once goes to one, and is taken for the others (%i)',
    async (seed) => {
      const { store } = start(seed);
      const races = Array.from({ length: RIVALS }, (_, i) => store().create(named(`id-${i}`, 'race')));
      const outcomes = await Promise.allSettled(races);
      const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      expect(refusals.filter((reason) => !(reason instanceof SlugTaken))).toEqual([]);
      expect(refusals).toHaveLength(RIVALS - 1);
    },
  );

  test('counts as taken for a request that conflicted each time', async () => {
    const { world, store } = start();
    await store().create(named('first', 'race'));
    await store().create(named('second', 'other'));
    const second = await store().findById('second');
    if (second === undefined) throw new Error('nothing was created');
    world.faults = alwaysMet;
    await expect(store().create(named('third', 'race'))).rejects.toThrow(SlugTaken);
    await expect(store().replace(second, { ...second, slug: 'race' })).rejects.toThrow(SlugTaken);
  });

  test('does not count as taken if nobody has it or the workspace has it itself', async () => {
    const { world, store } = start();
    await store().create(named('first', 'race'));
    const first = await store().findById('first');
    if (first === undefined) throw new Error('nothing was created');
    world.faults = alwaysMet;
    const met = [store().create(named('second', 'free')), store().replace(first, { ...first, name: 'New' })];
    for (const outcome of await Promise.allSettled(met)) {
      expect(outcome.status === 'rejected' && isOverload(outcome.reason)).toBe(true);
    }
  });
});
