import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { storedProviderKeySchema } from '../../functions/provider-keys/provider-key.ts';
import { ProviderKeyStore } from '../../functions/provider-keys/provider-key-store.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { AwsWorld } from '../engines/index.ts';
import { listsOf } from '../lists/lists-of.ts';
import { aProviderKey } from './a-provider-key.ts';

const LAG = 60_000;

test('a key that was changed or deleted is known as such at once, however late the index is', async () => {
  const world = new AwsWorld({ lag: () => LAG });
  const stage = new DeployedStage(world);
  const { dynamo } = world.startProcess();
  const keys = new ProviderKeyStore(dynamo, stage.name('ProviderKeys-Table'));
  const lists = listsOf(dynamo, stage);
  const stored = ['c', 'a', 'b'].map((id, at) => aProviderKey(id, { created_at: `2026-01-0${at + 1}` }));
  for (const key of stored) await keys.create(key, lists);
  await world.clock.wait(LAG + 1);
  const list = async () =>
    (await Array.fromAsync(keys.list(stored[0]!.workspace_id))).map(
      ({ id, ciphertext }) => `${id} ${ciphertext}`,
    );
  await keys.update('a', { ciphertext: 'another secret' }, world.clock.now());
  await keys.remove('c', lists);
  expect(await list()).toEqual(['a another secret', `b ${stored[2]!.ciphertext}`]);
});

test('a row of an earlier version says nothing about a region', () => {
  const { declared_region: _, ...earlier } = aProviderKey('a');
  expect(v.parse(storedProviderKeySchema, earlier)).toEqual(aProviderKey('a'));
});
