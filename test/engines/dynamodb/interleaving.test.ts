import {
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { AwsWorld, type AwsWorldSettings } from '../aws-world.ts';
import { newKey, ownTable } from '../conformance/own-table.ts';
import { refusal } from '../conformance/refusal.ts';
import { faultAt } from '../faults.ts';

/** A call takes 10 ms, and a transaction 15. The transaction holds its items from 5 ms to 10 ms. */
async function start(settings: AwsWorldSettings = {}) {
  const world = new AwsWorld({ latency: () => 10, ...settings });
  const { dynamodb, dynamo } = world.startProcess();
  const TableName = await ownTable(dynamodb);
  const update = (Key: Record<string, string>) => ({
    TableName,
    Key,
    UpdateExpression: 'ADD n :one',
    ExpressionAttributeValues: { ':one': 1 },
  });
  const add = (key: Record<string, string>) => dynamo.send(new UpdateCommand(update(key)));
  const transact = (keys: Record<string, string>[], ClientRequestToken?: string) =>
    dynamo.send(
      new TransactWriteCommand({
        TransactItems: keys.map((key) => ({ Update: update(key) })),
        ClientRequestToken,
      }),
    );
  const count = async (Key: Record<string, string>, ConsistentRead = true) =>
    (await dynamo.send(new GetCommand({ TableName, Key, ConsistentRead }))).Item?.n;
  return { world, wait: world.clock.wait, dynamo, TableName, add, transact, count };
}

describe('a transaction under way', () => {
  test('makes another one over one of its rows fail, and says over which', async () => {
    const { transact, wait, count } = await start();
    const [one, two, three] = [newKey(), newKey(), newKey()];
    const first = transact([one, two]);
    await wait(3);
    expect(await refusal(transact([three, two]))).toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
    });
    await first;
    await transact([three, two]);
    expect(await Promise.all([one, two, three].map((key) => count(key)))).toEqual([1, 2, 1]);
  });

  test('makes a write to one of its rows fail, but no read and no write to another row', async () => {
    const { transact, add, wait, count } = await start();
    const [one, other] = [newKey(), newKey()];
    await add(one);
    const first = transact([one]);
    await wait(3);
    const [refused, read] = await Promise.all([refusal(add(one)), count(one), add(other)]);
    expect(refused.name).toBe('TransactionConflictException');
    expect(read).toBe(1);
    await first;
    await add(one);
    expect(await count(one)).toBe(3);
  });

  test('that is repeated while it is under way takes effect once', async () => {
    const { world, transact, wait, count } = await start();
    const key = newKey();
    const token = crypto.randomUUID();
    const first = transact([key], token);
    await wait(3);
    const again = await transact([key], token);
    await first;
    expect(again.$metadata.attempts).toBeGreaterThan(1);
    expect(await count(key)).toBe(1);
    expect(world.journal.calls.length).toBeGreaterThan(3);
  });

  test('is remembered by its token for ten minutes', async () => {
    const { transact, wait, count } = await start();
    const key = newKey();
    const token = crypto.randomUUID();
    await transact([key], token);
    await wait(600_000 - 50);
    await transact([key], token);
    expect(await count(key)).toBe(1);
    await wait(100);
    await transact([key], token);
    expect(await count(key)).toBe(2);
  });

  test('that fails frees its rows', async () => {
    const { world, transact, add, count } = await start();
    const key = newKey();
    world.faults = faultAt({ operation: 'TransactWriteItems' }, 'conflict');
    await refusal(transact([key]));
    await add(key);
    expect(await count(key)).toBe(1);
  });
});

describe('eventually consistent reads', () => {
  test('is late by as much as the world says, in the order of the writes', async () => {
    const { world, dynamo, TableName, add, wait, count } = await start({ lag: () => 1_000 });
    const { pk, sk } = newKey();
    const active = crypto.randomUUID();
    await dynamo.send(new PutCommand({ TableName, Item: { pk, sk, active, due_at: 1 } }));
    const indexed = async () => {
      const asked = { ':a': active };
      const { Items } = await dynamo.send(
        new QueryCommand({
          TableName,
          IndexName: 'overdue',
          KeyConditionExpression: 'active = :a',
          ExpressionAttributeValues: asked,
        }),
      );
      return Items?.length;
    };
    expect([await indexed(), await count({ pk, sk }, false)]).toEqual([0, undefined]);
    await wait(1_000);
    await add({ pk, sk });
    expect([await indexed(), await count({ pk, sk }, false), await count({ pk, sk })]).toEqual([
      1,
      undefined,
      1,
    ]);
    await wait(1_000);
    expect(await count({ pk, sk }, false)).toBe(1);
    expect(world.clock.now().getTime()).toBeGreaterThan(0);
  });
});

describe('expired rows', () => {
  test('stay until the world removes them', async () => {
    const { world, dynamo, TableName, wait } = await start();
    world.dynamodb.table(TableName).expiresBy = 'expires_at';
    const seconds = world.clock.now().getTime() / 1000;
    const rows = [seconds + 10, seconds + 100, undefined].map((expires_at) => ({ ...newKey(), expires_at }));
    for (const Item of rows) await dynamo.send(new PutCommand({ TableName, Item }));
    const left = async () =>
      (
        await Promise.all(
          rows.map(({ pk, sk }) =>
            dynamo.send(new GetCommand({ TableName, Key: { pk, sk }, ConsistentRead: true })),
          ),
        )
      ).map(({ Item }) => Item !== undefined);
    await wait(20_000);
    expect(await left()).toEqual([true, true, true]);
    world.dynamodb.expireRows();
    expect(await left()).toEqual([false, true, true]);
  });
});
