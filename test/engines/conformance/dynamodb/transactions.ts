import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { refusal } from '../refusal.ts';
import { type Connect, documents, newKey, ownTable } from './own-table.ts';

type Items = NonNullable<TransactWriteCommandInput['TransactItems']>;

export function describeTransactions(connect: Connect): void {
  describe('a transaction', () => {
    let db: DynamoDBDocumentClient;
    let TableName: string;
    beforeAll(async () => {
      db = documents(connect());
      TableName = await ownTable(connect());
    });
    const get = async (Key: Record<string, unknown>) =>
      (await db.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;
    const put = (Item: Record<string, unknown>) => db.send(new PutCommand({ TableName, Item }));
    const write = (TransactItems: Items, ClientRequestToken?: string) =>
      db.send(new TransactWriteCommand({ TransactItems, ClientRequestToken }));
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
}
