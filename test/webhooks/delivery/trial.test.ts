import { expect, test } from '@jest/globals';
import { StreakStore } from '../../../functions/webhooks/delivery/host-health.ts';
import { createTable } from '../../engines/conformance/index.ts';
import { AwsWorld, faultAt } from '../../engines/index.ts';

const START = Date.parse('2030-01-01T00:00:00Z');
const at = (milliseconds: number) => new Date(START + milliseconds);
const HOST = 'receiver.example';

async function start() {
  const world = new AwsWorld();
  const { dynamo } = world.startProcess();
  const streaks = new StreakStore(dynamo, await createTable(dynamo, 'id'));
  let tokens = 0;
  return {
    world,
    streaks,
    fail: () => streaks.extend('w', HOST, at(0)),
    take: (milliseconds: number) => streaks.takeTrial('w', HOST, at(milliseconds), `token-${tokens++}`),
  };
}

test('of all who ask for a host’s trial one gets it, and another one half a minute later', async () => {
  const { fail, take, streaks } = await start();
  await fail();
  const asked = await Promise.all(Array.from({ length: 10 }, () => take(0)));
  expect(asked.filter((isOurs) => isOurs)).toHaveLength(1);
  expect(await take(29_999)).toBe(false);
  expect(await take(30_000)).toBe(true);
  expect(await streaks.find('w', HOST)).toMatchObject({ failures: 1, triedAt: START + 30_000 });
  expect(await streaks.extend('w', HOST, at(31_000))).toMatchObject({
    failures: 2,
    triedAt: START + 30_000,
  });
});

test('whoever has taken a trial knows it even if the answer was lost', async () => {
  const { world, fail, take } = await start();
  await fail();
  world.faults = faultAt({ operation: 'UpdateItem', nth: 2 }, 'answer lost');
  expect(await take(0)).toBe(true);
});

test('a host that has taken an event meanwhile needs no trial', async () => {
  const { fail, take, streaks } = await start();
  await fail();
  await streaks.end('w', HOST);
  expect([await take(0), await take(0)]).toEqual([true, true]);
  expect(await streaks.find('w', HOST)).toBeUndefined();
});
