import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { refusal } from '../refusal.ts';
import { type Connect, documents, newKey, ownTable } from './own-table.ts';

const LARGEST = 400 * 1024;

export function describeLimits(connect: Connect): void {
  describe('an impossible row', () => {
    let client: DynamoDBClient;
    let db: DynamoDBDocumentClient;
    let TableName: string;
    beforeAll(async () => {
      client = connect();
      db = documents(client);
      TableName = await ownTable(client);
    });
    const put = (Item: Record<string, unknown>) => db.send(new PutCommand({ TableName, Item }));

    test('is one of more than 400 KB, names included', async () => {
      const key = newKey();
      const others = Buffer.byteLength(`pk${key.pk}sk${key.sk}words`);
      await put({ ...key, words: 'x'.repeat(LARGEST - others) });
      const error = await refusal(put({ ...key, words: 'x'.repeat(LARGEST - others + 1) }));
      expect(error.name).toBe('ValidationException');
      expect(error.message).toMatch(/Item size has exceeded the maximum allowed size/);
      const grown = { TableName, Key: key, UpdateExpression: 'SET n = :n' };
      const update = await refusal(
        db.send(new UpdateCommand({ ...grown, ExpressionAttributeValues: { ':n': 1 } })),
      );
      expect(update.message).toMatch(/Item size.* has exceeded the maximum allowed size/);
      const { Item } = await db.send(new GetCommand({ TableName, Key: key, ConsistentRead: true }));
      expect(Item?.n).toBeUndefined();
    });

    test.each([
      ['without its key', { pk: 'a' }, /Missing the key sk in the item/],
      ['with an empty key', { pk: 'a', sk: '' }, /key attribute cannot contain an empty string value/],
      ['with a key of another type', { pk: 'a', sk: 1 }, /Type mismatch for .*key sk expected: S actual: N/i],
      [
        'with an index key of another type',
        { pk: 'a', sk: 'a', active: 's', due_at: 'soon' },
        /Type mismatch for Index Key due_at Expected: N Actual: S/i,
      ],
    ])('is one %s', async (_, row, message) => {
      const error = await refusal(put(row));
      expect(error.name).toBe('ValidationException');
      expect(error.message).toMatch(message);
    });

    test('is requested with other attributes than its key', async () => {
      for (const Key of [{ pk: 'a' }, { pk: 'a', sk: 'b', n: 1 }, { pk: 'a', sk: 1 }]) {
        const error = await refusal(db.send(new GetCommand({ TableName, Key })));
        expect(error.message).toMatch(/key element does not match the schema/);
      }
    });
  });
}
