import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { refusal } from '../refusal.ts';
import { type Connect, documents, newKey, ownTable } from './own-table.ts';

export function describeItems(connect: Connect): void {
  describe('an item', () => {
    let client: DynamoDBClient;
    let db: DynamoDBDocumentClient;
    let TableName: string;
    beforeAll(async () => {
      client = connect();
      db = documents(client);
      TableName = await ownTable(client);
    });
    const get = async (Key: object) =>
      (await db.send(new GetCommand({ TableName, Key: { ...Key }, ConsistentRead: true }))).Item;

    test('comes back as it was put, whatever its types', async () => {
      const row = {
        ...newKey(),
        text: 'ä€😀',
        empty: '',
        number: -1.5,
        yes: true,
        nothing: null,
        bytes: Uint8Array.of(0, 255, 7),
        list: [1, 'two', [], {}],
        map: { deep: { deeper: [null] }, '': 1 },
        tags: new Set(['a', 'b']),
      };
      await db.send(new PutCommand({ TableName, Item: row }));
      expect(await get({ pk: row.pk, sk: 'a' })).toEqual(row);
    });

    test('does not exist before it is put, nor after it is deleted', async () => {
      const key = newKey();
      expect(await get(key)).toBeUndefined();
      await db.send(new PutCommand({ TableName, Item: key }));
      expect(await get(key)).toEqual(key);
      expect(await get({ ...key, sk: 'b' })).toBeUndefined();
      await db.send(new DeleteCommand({ TableName, Key: key }));
      await db.send(new DeleteCommand({ TableName, Key: key }));
      expect(await get(key)).toBeUndefined();
    });

    test.each(['12345678901234567890123456789012345678', '-0.00000000000000000000000000000000000001'])(
      'keeps the number %s exactly',
      async (N) => {
        const { pk } = newKey();
        const key = { pk: { S: pk }, sk: { S: 'a' } };
        await client.send(new PutItemCommand({ TableName, Item: { ...key, n: { N } } }));
        const { Item } = await client.send(new GetItemCommand({ TableName, Key: key, ConsistentRead: true }));
        expect(Item?.n).toEqual({ N });
        await client.send(new DeleteItemCommand({ TableName, Key: key }));
      },
    );

    test('is returned in its old state by a put or delete that asks for it', async () => {
      const key = newKey();
      const put = (n: number) =>
        db.send(new PutCommand({ TableName, Item: { ...key, n }, ReturnValues: 'ALL_OLD' }));
      expect((await put(1)).Attributes).toBeUndefined();
      expect((await put(2)).Attributes).toEqual({ ...key, n: 1 });
      const gone = new DeleteCommand({ TableName, Key: key, ReturnValues: 'ALL_OLD' });
      expect((await db.send(gone)).Attributes).toEqual({ ...key, n: 2 });
      expect((await db.send(gone)).Attributes).toBeUndefined();
    });

    test.each([
      ['ALL_OLD', { n: 1, kept: 'k', map: { a: 1, b: 2 } }],
      ['ALL_NEW', { n: 2, kept: 'k', map: { a: 3, b: 2 } }],
      ['UPDATED_NEW', { n: 2, map: { a: 3, b: 2 } }],
      ['NONE', undefined],
    ] as const)('is returned by an update that asks for %s', async (ReturnValues, expected) => {
      const key = newKey();
      await db.send(new PutCommand({ TableName, Item: { ...key, n: 1, kept: 'k', map: { a: 1, b: 2 } } }));
      const { Attributes } = await db.send(
        new UpdateCommand({
          TableName,
          Key: key,
          UpdateExpression: 'SET n = n + :one, #map = :map',
          ExpressionAttributeNames: { '#map': 'map' },
          ExpressionAttributeValues: { ':one': 1, ':map': { a: 3, b: 2 } },
          ReturnValues,
        }),
      );
      expect(Attributes).toEqual(ReturnValues.startsWith('ALL') ? { ...key, ...expected } : expected);
    });

    test('is written only under its condition, and shown to a writer who asks', async () => {
      const key = newKey();
      const create = {
        TableName,
        Item: { ...key, n: 1 },
        ConditionExpression: 'attribute_not_exists(pk)',
      } as const;
      await db.send(new PutCommand(create));
      const silent = await refusal(db.send(new PutCommand(create)));
      expect(silent).toBeInstanceOf(ConditionalCheckFailedException);
      expect(silent).toMatchObject({ message: 'The conditional request failed', Item: undefined });
      const told = await refusal(
        db.send(new PutCommand({ ...create, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' })),
      );
      expect(told).toMatchObject({ Item: { pk: { S: key.pk }, sk: { S: 'a' }, n: { N: '1' } } });
      const gone = { TableName, Key: key, ConditionExpression: 'n = :n' } as const;
      const deleted = (n: number) =>
        db.send(new DeleteCommand({ ...gone, ExpressionAttributeValues: { ':n': n } }));
      expect((await refusal(deleted(2))).name).toBe('ConditionalCheckFailedException');
      await deleted(1);
      expect(await get(key)).toBeUndefined();
    });

    test('is created by an update, unless the condition requires that it exists', async () => {
      const key = newKey();
      const update = { TableName, Key: key, UpdateExpression: 'ADD n :one' } as const;
      const values = { ExpressionAttributeValues: { ':one': 1 } };
      const guarded = new UpdateCommand({
        ...update,
        ...values,
        ConditionExpression: 'attribute_exists(pk)',
      });
      expect((await refusal(db.send(guarded))).name).toBe('ConditionalCheckFailedException');
      await db.send(new UpdateCommand({ ...update, ...values }));
      await db.send(guarded);
      expect(await get(key)).toEqual({ ...key, n: 2 });
    });

    test('is returned in part with a projection', async () => {
      const key = newKey();
      await db.send(
        new PutCommand({ TableName, Item: { ...key, a: { b: 1, c: 2 }, steps: [1, 2, 3], d: 4 } }),
      );
      const { Item } = await db.send(
        new GetCommand({
          TableName,
          Key: key,
          ProjectionExpression: 'steps, #d, absent',
          ExpressionAttributeNames: { '#d': 'd' },
        }),
      );
      expect(Item).toEqual({ steps: [1, 2, 3], d: 4 });
    });

    test('needs an existing table', async () => {
      const call = db.send(new GetCommand({ TableName: 'no-such-table', Key: newKey() }));
      expect((await refusal(call)).name).toBe('ResourceNotFoundException');
    });
  });
}
