import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { OVERDUE_INDEX, SHARDS } from '../../functions/sweeping/sparse-index.ts';
import { OverdueRows, RUN_MILLISECONDS, sweepOverdue } from '../../functions/sweeping/sweep.ts';
import { AwsWorld } from '../engines/index.ts';

const TABLE = 'rows';
const schema = v.object({ id: v.string(), n: v.number() });

/** Puts this many rows into each shard, due at 0, 1, 2 and so on, and sweeps those that are due before `until`. */
async function sweeping(rowsAShard: number, until: number) {
  const world = new AwsWorld();
  const { dynamo } = world.startProcess();
  await dynamo.send(
    new CreateTableCommand({
      TableName: TABLE,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [
        { AttributeName: 'id', AttributeType: 'S' },
        { AttributeName: 'active', AttributeType: 'S' },
        { AttributeName: 'due_at', AttributeType: 'N' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: OVERDUE_INDEX,
          KeySchema: [
            { AttributeName: 'active', KeyType: 'HASH' },
            { AttributeName: 'due_at', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    }),
  );
  for (let shard = 0; shard < SHARDS; shard++) {
    for (let n = 0; n < rowsAShard; n++) {
      const Item = { id: `${shard}-${n}`, n, active: `active-${shard}`, due_at: n };
      await dynamo.send(new PutCommand({ TableName: TABLE, Item }));
    }
  }
  const told: unknown[] = [];
  const errors: unknown[] = [];
  const { now, wait } = world.clock;
  const ports = {
    now,
    tellUnreadable: (id: unknown, fields: readonly string[]) => void told.push([id, fields]),
    log: {
      info: () => undefined,
      warn: () => undefined,
      error: (_: string, fields?: object) => void errors.push(fields),
    },
  };
  const rows = new OverdueRows(dynamo, TABLE);
  const overdue = { rows, schema, graceMilliseconds: now().getTime() - until };
  const sweep = (handle: (row: { id: string; n: number }) => Promise<void>) =>
    sweepOverdue(overdue, handle, ports);
  return { dynamo, now, wait, sweep, told, errors };
}

describe('a sweep', () => {
  test('passes on the overdue rows of every shard, once, and nothing else', async () => {
    const { sweep } = await sweeping(12, 7);
    const ids: string[] = [];
    await sweep(async ({ id }) => void ids.push(id));
    const wanted = Array.from({ length: SHARDS * 7 }, (_, i) => `${Math.floor(i / 7)}-${i % 7}`);
    expect(ids.sort()).toEqual(wanted.sort());
  });

  test('reads all shards in parallel', async () => {
    const { sweep, now, wait } = await sweeping(1, 1);
    const start = now().getTime();
    await sweep(() => wait(1_000));
    expect(now().getTime() - start).toBeLessThan(2_000);
  });

  test('ends in time, after the oldest rows of each shard', async () => {
    const { sweep, now, wait } = await sweeping(20, 20);
    const start = now().getTime();
    const done: number[] = [];
    await sweep(async ({ n }) => {
      await wait(RUN_MILLISECONDS * 0.6);
      done.push(n);
    });
    expect(now().getTime() - start).toBeLessThan(RUN_MILLISECONDS * 1.25);
    expect(done).toHaveLength(SHARDS * 10);
    expect(Math.max(...done)).toBe(9);
  });

  test('continues after unreadable rows, and after rows that fail', async () => {
    const { dynamo, sweep, told, errors } = await sweeping(4, 4);
    const Item = { id: '0-1', n: 'one', active: 'active-0', due_at: 1 };
    await dynamo.send(new PutCommand({ TableName: TABLE, Item }));
    const failure = new Error('not this one');
    const ids: string[] = [];
    await sweep(async ({ id, n }) => {
      if (n === 0) throw failure;
      ids.push(id);
    });
    expect(ids).toHaveLength(SHARDS * 3 - 1);
    expect(told).toEqual([['0-1', ['n']]]);
    expect(errors).toContainEqual({ row_id: '3-0', error: failure });
  });
});
