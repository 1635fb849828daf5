import { DeleteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { LaneStore } from '../../../functions/webhooks/delivery/lane-store.ts';
import { createTable } from '../../engines/conformance/index.ts';
import { dynamo } from '../../tested-clients.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const LAPSE = NOW.getTime() + 30_000;
const LIMITS = { workspace: 8, host: 5 };

const newLanes = async () => {
  const table = await createTable(dynamo, 'id');
  const lanes = new LaneStore(dynamo, table, LIMITS);
  const workspaceId = crypto.randomUUID();
  const enter = (host: string, now = NOW, lapsesAt = LAPSE, workspace = workspaceId) =>
    lanes.enter({ workspaceId: workspace, host }, { now, lapsesAt, token: crypto.randomUUID() });
  const enterOften = async (host: string, count: number, now = NOW, lapsesAt = LAPSE) => {
    const holders = Array.from({ length: count }, () => enter(host, now, lapsesAt));
    return (await Promise.all(holders)).filter((holder) => holder !== undefined);
  };
  const leave = (host: string, holder: string) => lanes.leave({ workspaceId, host }, holder);
  const purge = () =>
    dynamo.send(new DeleteCommand({ TableName: table, Key: { id: `LANE#${workspaceId}` } }));
  const rows = async () => (await dynamo.send(new ScanCommand({ TableName: table }))).Items;
  return { enter, enterOften, leave, purge, rows };
};

describe('the lanes of a workspace', () => {
  test('give one host its share, however many ask at once', async () => {
    const { enter, enterOften } = await newLanes();
    expect(new Set(await enterOften('one.example', 20)).size).toBe(5);
    expect(await enter('one.example')).toBeUndefined();
  });

  test('give all hosts together no more than the workspace’s share', async () => {
    const { enterOften, enter } = await newLanes();
    expect(await enterOften('one.example', 20)).toHaveLength(5);
    expect(await enterOften('other.example', 20)).toHaveLength(3);
    expect(await enter('third.example')).toBeUndefined();
  });

  test('are separate from those of other workspaces, on the same host', async () => {
    const { enter, enterOften } = await newLanes();
    await enterOften('one.example', 20);
    expect(await enter('one.example', NOW, LAPSE, crypto.randomUUID())).toBeDefined();
  });

  test('can be entered again as soon as one slot is free, but only once', async () => {
    const { enterOften, leave } = await newLanes();
    const [holder = ''] = await enterOften('one.example', 5);
    await leave('one.example', holder);
    await leave('one.example', holder);
    expect(await enterOften('one.example', 3)).toHaveLength(1);
  });

  test('do not come back when a delivery leaves that was under way as its workspace was purged', async () => {
    const { enter, leave, purge, rows } = await newLanes();
    const holder = (await enter('one.example')) ?? '';
    await purge();
    await leave('one.example', holder);
    expect(await rows()).toEqual([]);
  });

  test('reuse the slots of crashed workers, and not a millisecond early', async () => {
    const { enter, enterOften } = await newLanes();
    await enterOften('one.example', 5);
    await enterOften('other.example', 3);
    expect(await enter('one.example', new Date(LAPSE))).toBeUndefined();
    expect(await enter('one.example', new Date(LAPSE + 1), LAPSE + 60_000)).toBeDefined();
    expect(await enterOften('one.example', 20)).toHaveLength(4);
    expect(await enterOften('other.example', 20)).toHaveLength(3);
  });

  test('with slots that expire together can be taken again as often', async () => {
    const { enterOften } = await newLanes();
    await enterOften('one.example', 5);
    expect(await enterOften('one.example', 15, new Date(LAPSE + 1), LAPSE + 60_000)).toHaveLength(5);
  });
});
