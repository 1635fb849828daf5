import { expect, test } from '@jest/globals';
import { DestinationStore } from '../../functions/broadcast/destination-store.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { AwsWorld } from '../engines/index.ts';

test('a destination counts from the moment it is set, and no longer than it stands', async () => {
  const world = new AwsWorld({ lag: () => 60_000 });
  const store = new DestinationStore(world.startProcess().dynamo, new DeployedStage(world).name('Broadcast'));
  const destination = {
    workspace_id: 'ws-1',
    url: 'https://traces.example/v1/traces',
    header_names: [],
    updated_at: '2030-01-01T00:00:00.000Z',
  };
  await store.put(destination);
  expect(await store.find('ws-1')).toEqual(destination);
  await store.put({ ...destination, url: 'https://other.example/v1/traces' });
  expect(await store.find('ws-1')).toMatchObject({ url: 'https://other.example/v1/traces' });
  await store.remove('ws-1');
  expect(await store.find('ws-1')).toBeUndefined();
});
