import { expect, test } from '@jest/globals';
import { LaneStore } from '../../../functions/webhooks/delivery/lane-store.ts';
import { createTable } from '../../contract/create-table.ts';
import { AwsWorld } from '../../engines/aws-world.ts';
import { describeLanes } from './lane-suite.ts';

const { dynamo } = new AwsWorld().startProcess();
describeLanes(async (limits) => new LaneStore(dynamo, await createTable(dynamo, 'id'), limits));

test('a slot that another worker has freed in between is taken', async () => {
  const client = new AwsWorld().startProcess().dynamo;
  const lanes = new LaneStore(client, await createTable(client, 'id'), { workspace: 2, host: 2 });
  const lane = { workspaceId: crypto.randomUUID(), host: 'one.example' };
  const lapsesAt = Date.parse('2030-01-01T00:00:30Z');
  const enter = (now: Date, until: number) =>
    lanes.enter(lane, { now, lapsesAt: until, token: crypto.randomUUID() });
  await enter(new Date(lapsesAt - 1), lapsesAt);
  await enter(new Date(lapsesAt - 1), lapsesAt);
  const later = new Date(lapsesAt + 1);
  let first: string | undefined;
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (input) => {
        if (commandName === 'GetItemCommand' && first === undefined) {
          first = 'on its way';
          first = await enter(later, lapsesAt + 60_000);
        }
        return next(input);
      },
    { step: 'initialize', name: 'overtaken' },
  );
  const second = await enter(later, lapsesAt + 60_000);
  expect([first, second]).toEqual([
    expect.stringContaining('one.example'),
    expect.stringContaining('one.example'),
  ]);
  expect(await enter(later, lapsesAt + 60_000)).toBeUndefined();
});
