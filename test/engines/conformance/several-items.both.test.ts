import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  type BatchWriteCommandInput,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { newKey, ownTable } from './own-table.ts';
import { refusal } from './refusal.ts';
import { dynamo, dynamodb } from './tested-clients.ts';

type Writes = NonNullable<BatchWriteCommandInput['RequestItems']>[string];
type Items = NonNullable<TransactWriteCommandInput['TransactItems']>;

const [TableName, another] = [await ownTable(dynamodb), await ownTable(dynamodb)];

describe('a batch', () => {
  const get = (Keys: Record<string, unknown>[], names = [TableName, another]) =>
    dynamo.send(
      new BatchGetCommand({
        RequestItems: Object.fromEntries(names.map((name) => [name, { Keys, ConsistentRead: true }])),
      }),
    );
  const write = (requests: Writes) =>
    dynamo.send(new BatchWriteCommand({ RequestItems: { [TableName]: requests } }));

  test('reads rows of several tables, and leaves out missing ones', async () => {
    const [there, missing] = [newKey(), newKey()];
    await dynamo.send(new PutCommand({ TableName, Item: there }));
    const { Responses = {}, UnprocessedKeys } = await get([there, missing]);
    expect(Responses[TableName]).toEqual([there]);
    expect(Responses[another] ?? []).toEqual([]);
    expect(UnprocessedKeys).toEqual({});
  });

  test('reads at most 100 rows, and refuses duplicates', async () => {
    const keys = Array.from({ length: 101 }, newKey);
    expect((await refusal(get(keys, [another]))).name).toBe('ValidationException');
    await get(keys.slice(1), [another]);
    expect((await refusal(get([keys[0]!, keys[0]!]))).message).toMatch(/duplicates/);
  });

  test('puts and deletes up to 25 rows', async () => {
    const keys = Array.from({ length: 26 }, newKey);
    const puts = keys.map((Item) => ({ PutRequest: { Item } }));
    expect((await refusal(write(puts))).name).toBe('ValidationException');
    const { UnprocessedItems } = await write(puts.slice(1));
    expect(UnprocessedItems).toEqual({});
    await write([{ DeleteRequest: { Key: keys[1]! } }, { PutRequest: { Item: { ...keys[2]!, n: 2 } } }]);
    const { Responses = {} } = await get(keys.slice(0, 3), [TableName]);
    expect(Responses[TableName]).toEqual([{ ...keys[2], n: 2 }]);
  });
});

describe('a transaction', () => {
  const get = async (Key: Record<string, unknown>) =>
    (await dynamo.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;
  const put = (Item: Record<string, unknown>) => dynamo.send(new PutCommand({ TableName, Item }));
  const write = (TransactItems: Items, ClientRequestToken?: string) =>
    dynamo.send(new TransactWriteCommand({ TransactItems, ClientRequestToken }));
  const add = (Key: Record<string, unknown>, n = 1) => ({
    Update: {
      TableName,
      Key,
      UpdateExpression: 'ADD n :n',
      ExpressionAttributeValues: { ':n': n },
    },
  });
  const reasonsOf = (error: Error) => {
    if (!(error instanceof TransactionCanceledException)) throw error;
    return error.CancellationReasons?.map(({ Code, Item }) => ({ Code, ...(Item && { Item }) }));
  };

  test('does everything in it', async () => {
    const [made, changed, gone, checked] = [newKey(), newKey(), newKey(), newKey()];
    for (const key of [changed, gone, checked]) await put({ ...key, n: 1 });
    await write([
      { Put: { TableName, Item: { ...made, n: 1 } } },
      add(changed),
      { Delete: { TableName, Key: gone } },
      { ConditionCheck: { TableName, Key: checked, ConditionExpression: 'attribute_exists(n)' } },
    ]);
    expect(await Promise.all([made, changed, gone, checked].map(get))).toEqual([
      { ...made, n: 1 },
      { ...changed, n: 2 },
      undefined,
      { ...checked, n: 1 },
    ]);
  });

  test('does nothing if one condition fails, and says which, with the row on request', async () => {
    const [one, other] = [newKey(), newKey()];
    await put({ ...other, n: 7 });
    const told = {
      ...add(other).Update,
      ConditionExpression: 'n > :n',
      ExpressionAttributeValues: { ':n': 7 },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    } as const;
    const error = await refusal(write([add(one), { Update: told }]));
    expect(error.message).toMatch(/specific reasons \[None, ConditionalCheckFailed\]/);
    expect(reasonsOf(error)).toEqual([
      { Code: 'None' },
      { Code: 'ConditionalCheckFailed', Item: { pk: { S: other.pk }, sk: { S: 'a' }, n: { N: '7' } } },
    ]);
    expect(await get(one)).toBeUndefined();
    expect(await get(other)).toEqual({ ...other, n: 7 });
  });

  test('takes effect once for one token, and is refused for the token of another transaction', async () => {
    const key = newKey();
    const token = crypto.randomUUID();
    await write([add(key)], token);
    await write([add(key)], token);
    expect(await get(key)).toEqual({ ...key, n: 1 });
    expect((await refusal(write([add(key, 2)], token))).name).toBe('IdempotentParameterMismatchException');
    await write([add(key)], crypto.randomUUID());
    expect(await get(key)).toEqual({ ...key, n: 2 });
  });

  test('touches no row twice', async () => {
    const key = newKey();
    const error = await refusal(write([add(key), { Delete: { TableName, Key: key } }]));
    expect(error.name).toBe('ValidationException');
    expect(error.message).toMatch(/cannot include multiple operations on one item/);
  });

  test('has at most 100 items', async () => {
    const items = Array.from({ length: 101 }, () => add(newKey()));
    expect((await refusal(write(items))).name).toBe('ValidationException');
    await write(items.slice(1));
    expect((await refusal(write([]))).name).toBe('ValidationException');
  });

  test('among many over the same rows is never applied in part', async () => {
    const [one, other] = [newKey(), newKey()];
    const tries = Array.from({ length: 20 }, () => write([add(one), add(other)]).catch(reasonsOf));
    const failed = (await Promise.all(tries)).filter((reasons) => Array.isArray(reasons));
    const done = tries.length - failed.length;
    expect(done).toBeGreaterThan(0);
    expect(await Promise.all([one, other].map(get))).toEqual([
      { ...one, n: done },
      { ...other, n: done },
    ]);
  });
});
