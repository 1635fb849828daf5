import { expect, test } from '@jest/globals';
import { LongCopy } from '../../../functions/videos/worker/long-copy.ts';
import { type Occupant, type Share, ShareStore } from '../../../functions/videos/worker/share-store.ts';
import { DeployedStage } from '../../deployed/deployed-stage.ts';
import { AwsWorld } from '../../engines/index.ts';

test('a long copy leaves its shares although nobody knows whether it has entered them', async () => {
  const world = new AwsWorld();
  const { dynamo } = world.startProcess('copier');
  const store = new ShareStore(dynamo, new DeployedStage(world).name('Videos-Shares'));
  const unheard = {
    enter: async (shares: readonly Share[], occupant: Occupant, now: Date): Promise<boolean> => {
      await store.enter(shares.slice(0, 1), occupant, now);
      throw new Error('no answer');
    },
    leave: store.leave.bind(store),
  };
  const hasEnded = async (jobId: string, shares: Pick<ShareStore, 'enter' | 'leave'>) => {
    const copy = new LongCopy(
      { jobId, workspaceId: 'ws-1', provider: 'fal', lapsesAt: 960_000 },
      {
        shares,
        copiers: 5,
        after: (_, call) => {
          call();
          return () => undefined;
        },
        now: () => new Date(0),
        log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      },
    );
    await copy.leave();
    return copy.signal.aborted;
  };
  // A workspace has two of five copiers.
  for (const id of ['a', 'b']) expect(await hasEnded(id, unheard)).toBe(false);
  expect(await hasEnded('c', store)).toBe(false);
});
