import { expect, test } from '@jest/globals';
import { DestinationStore } from '../../functions/broadcast/destination-store.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { AwsWorld } from '../engines/index.ts';
import { aDestination } from './ended-event.ts';

test('a destination counts from the moment it is set, and no longer than it stands', async () => {
  const world = new AwsWorld({ lag: () => 60_000 });
  const store = new DestinationStore(world.startProcess().dynamo, new DeployedStage(world).name('Broadcast'));
  const first = aDestination();
  expect(await store.replace(undefined, first)).toBe(true);
  expect(await store.find('ws-1')).toEqual(first);
  const url = 'https://other.example/v1/traces';
  const second = aDestination({ url, updated_at: '2030-01-02T00:00:00.000Z' });
  expect(await store.replace(first, second)).toBe(true);
  expect(await store.find('ws-1')).toEqual(second);
  for (const before of [undefined, first]) expect(await store.replace(before, first)).toBe(false);
  await store.remove('ws-1');
  expect(await store.find('ws-1')).toBeUndefined();
});
