import {
  BatchGetCommand,
  BatchWriteCommand,
  type BatchWriteCommandInput,
  type DynamoDBDocumentClient,
  PutCommand,
} from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { refusal } from '../refusal.ts';
import { type Connect, documents, newKey, ownTable } from './own-table.ts';

type Writes = NonNullable<BatchWriteCommandInput['RequestItems']>[string];

export function describeBatches(connect: Connect): void {
  describe('a batch', () => {
    let db: DynamoDBDocumentClient;
    let tables: string[];
    beforeAll(async () => {
      db = documents(connect());
      tables = await Promise.all([ownTable(connect()), ownTable(connect())]);
    });
    const get = (Keys: Record<string, unknown>[], names = tables) =>
      db.send(
        new BatchGetCommand({
          RequestItems: Object.fromEntries(names.map((name) => [name, { Keys, ConsistentRead: true }])),
        }),
      );
    const write = (requests: Writes) =>
      db.send(new BatchWriteCommand({ RequestItems: { [tables[0]!]: requests } }));

    test('reads rows of several tables, and leaves out missing ones', async () => {
      const [there, missing] = [newKey(), newKey()];
      await db.send(new PutCommand({ TableName: tables[0], Item: there }));
      const { Responses = {}, UnprocessedKeys } = await get([there, missing]);
      expect(Responses[tables[0]!]).toEqual([there]);
      expect(Responses[tables[1]!] ?? []).toEqual([]);
      expect(UnprocessedKeys).toEqual({});
    });

    test('reads at most 100 rows, and refuses duplicates', async () => {
      const keys = Array.from({ length: 101 }, newKey);
      expect((await refusal(get(keys, tables.slice(1)))).name).toBe('ValidationException');
      await get(keys.slice(1), tables.slice(1));
      expect((await refusal(get([keys[0]!, keys[0]!]))).message).toMatch(/duplicates/);
    });

    test('puts and deletes up to 25 rows', async () => {
      const keys = Array.from({ length: 26 }, newKey);
      const puts = keys.map((Item) => ({ PutRequest: { Item } }));
      expect((await refusal(write(puts))).name).toBe('ValidationException');
      const { UnprocessedItems } = await write(puts.slice(1));
      expect(UnprocessedItems).toEqual({});
      await write([{ DeleteRequest: { Key: keys[1]! } }, { PutRequest: { Item: { ...keys[2]!, n: 2 } } }]);
      const { Responses = {} } = await get(keys.slice(0, 3), tables.slice(0, 1));
      expect(Responses[tables[0]!]).toEqual([{ ...keys[2], n: 2 }]);
    });
  });
}
