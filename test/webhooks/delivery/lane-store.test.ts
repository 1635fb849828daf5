import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { LaneStore } from '../../../functions/webhooks/delivery/lane-store.ts';
import { createTable } from '../../engines/conformance/index.ts';
import { AwsWorld, faultAt } from '../../engines/index.ts';

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

test('a row is kept for a day after its last holder, and one without holders has no sets', async () => {
  const client = new AwsWorld().startProcess().dynamo;
  const TableName = await createTable(client, 'id');
  const lanes = new LaneStore(client, TableName, { workspace: 2, host: 2 });
  const lane = { workspaceId: 'ws-1', host: 'one.example' };
  const place = { now: new Date(0), lapsesAt: 31_000, token: 'token-1' };
  const row = async () =>
    (await client.send(new GetCommand({ TableName, Key: { id: 'LANE#ws-1' }, ConsistentRead: true }))).Item;
  const holder = (await lanes.enter(lane, place))!;
  const own = new Set([holder]);
  const expires_at = 31 + 86_400;
  const kept = { id: 'LANE#ws-1', workspace_id: 'ws-1', expires_at };
  expect(await row()).toEqual({ ...kept, holders: own, 'host#one.example': own });
  await lanes.leave(lane, holder);
  expect(await row()).toEqual(kept);
});

test('a lane whose table fails is not taken for a full one', async () => {
  const client = new AwsWorld().startProcess().dynamo;
  const lanes = new LaneStore(client, await createTable(client, 'id'), { workspace: 2, host: 2 });
  const failure = new Error('the table is away');
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (input) => {
        if (commandName === 'UpdateItemCommand') throw failure;
        return next(input);
      },
    { step: 'initialize' },
  );
  const place = { now: new Date(0), lapsesAt: 30_999, token: 'token-1' };
  await expect(lanes.enter({ workspaceId: 'ws-1', host: 'one.example' }, place)).rejects.toBe(failure);
});

test.each([
  ['the workspace', { workspace: 1, host: 2 }],
  ['the host', { workspace: 2, host: 1 }],
])('a free lane costs one call, and one that is full for %s two', async (_, limits) => {
  const world = new AwsWorld();
  const client = world.startProcess().dynamo;
  const lanes = new LaneStore(client, await createTable(client, 'id'), limits);
  const callsOf = async (token: string) => {
    const before = world.journal.count;
    const place = { now: new Date(0), lapsesAt: 30_999, token };
    const holder = await lanes.enter({ workspaceId: 'ws-1', host: 'one.example' }, place);
    return [holder !== undefined, world.journal.count - before];
  };
  expect(await callsOf('token-1')).toEqual([true, 1]);
  expect(await callsOf('token-2')).toEqual([false, 2]);
});

test.each([
  ['the workspace', { workspace: 1, host: 2 }],
  ['the host', { workspace: 2, host: 1 }],
])('the last place of %s is taken although the answer was lost, and can be left', async (_, limits) => {
  const world = new AwsWorld();
  const client = world.startProcess().dynamo;
  const lanes = new LaneStore(client, await createTable(client, 'id'), limits);
  const lane = { workspaceId: 'ws-1', host: 'one.example' };
  const enter = (token: string) => lanes.enter(lane, { now: new Date(0), lapsesAt: 30_999, token });
  world.faults = faultAt({ operation: 'UpdateItem', nth: 1 }, 'answer lost');
  const holder = await enter('token-1');
  expect(holder).toBeDefined();
  expect(await enter('token-2')).toBeUndefined();
  await lanes.leave(lane, holder ?? '');
  expect(await enter('token-3')).toBeDefined();
});

test('who holds a lane is read as it is now', async () => {
  const world = new AwsWorld({ lag: () => 60_000 });
  const client = world.startProcess().dynamo;
  const lanes = new LaneStore(client, await createTable(client, 'id'), { workspace: 1, host: 1 });
  const enter = (now: number, lapsesAt: number, token: string) =>
    lanes.enter({ workspaceId: 'ws-1', host: 'one.example' }, { now: new Date(now), lapsesAt, token });
  await enter(0, 1_000, 'token-1');
  expect(await enter(1_001, 2_000, 'token-2')).toBeDefined();
});
