import { expect, jest, test } from '@jest/globals';
import { laneLimits } from '../../../functions/webhooks/delivery/lane-store.ts';
import { DeployedStage } from '../../deployed/deployed-stage.ts';
import { AwsWorld } from '../../engines/index.ts';
import { START } from '../events/event-fixture.ts';

test.each([
  [2, { workspace: 1, host: 1 }],
  [3, { workspace: 1, host: 1 }],
  [10, { workspace: 3, host: 2 }],
  [50, { workspace: 16, host: 8 }],
  [57, { workspace: 19, host: 10 }],
  [1000, { workspace: 333, host: 10 }],
])('of %i deliverers a workspace has %j', (deliverers, limits) => {
  expect(laneLimits(deliverers)).toEqual(limits);
});

test('a deployed deliverer knows how many they are', async () => {
  const world = new AwsWorld();
  const stage = new DeployedStage(world);
  const { dynamo } = world.startProcess();
  jest.unstable_mockModule('../../../functions/aws/dynamo.ts', () => ({ dynamo }));
  Object.assign(process.env, stage.environment('deliver-events'), { DELIVERERS: '10' });
  const { deliverPorts } = await import('../../../functions/deployed/webhooks.ts');
  const { lanes } = deliverPorts();
  const place = { now: START, lapsesAt: START.getTime() + 60_000 };
  const enter = (token: string) =>
    lanes.enter({ workspaceId: 'ws-1', host: `${token}.example` }, { ...place, token });
  const [one, two, three, four] = [await enter('1'), await enter('2'), await enter('3'), await enter('4')];
  expect([one, two, three]).not.toContain(undefined);
  expect(four).toBeUndefined();
});
