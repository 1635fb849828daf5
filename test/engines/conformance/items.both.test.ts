import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { newKey, ownTable } from './own-table.ts';
import { refusal } from './refusal.ts';
import { dynamo, dynamodb } from './tested-clients.ts';

const LARGEST = 400 * 1024;

const TableName = await ownTable(dynamodb);

describe('an item', () => {
  const get = async (Key: object) =>
    (await dynamo.send(new GetCommand({ TableName, Key: { ...Key }, ConsistentRead: true }))).Item;

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
      map: { deep: { deeper: [null] } },
      tags: new Set(['a', 'b']),
    };
    await dynamo.send(new PutCommand({ TableName, Item: row }));
    expect(await get({ pk: row.pk, sk: 'a' })).toEqual(row);
  });

  test('does not exist before it is put, nor after it is deleted', async () => {
    const key = newKey();
    expect(await get(key)).toBeUndefined();
    await dynamo.send(new PutCommand({ TableName, Item: key }));
    expect(await get(key)).toEqual(key);
    expect(await get({ ...key, sk: 'b' })).toBeUndefined();
    await dynamo.send(new DeleteCommand({ TableName, Key: key }));
    await dynamo.send(new DeleteCommand({ TableName, Key: key }));
    expect(await get(key)).toBeUndefined();
  });

  test.each(['12345678901234567890123456789012345678', '-0.00000000000000000000000000000000000001'])(
    'keeps the number %s exactly',
    async (N) => {
      const { pk } = newKey();
      const key = { pk: { S: pk }, sk: { S: 'a' } };
      await dynamodb.send(new PutItemCommand({ TableName, Item: { ...key, n: { N } } }));
      const { Item } = await dynamodb.send(new GetItemCommand({ TableName, Key: key, ConsistentRead: true }));
      expect(Item?.n).toEqual({ N });
      await dynamodb.send(new DeleteItemCommand({ TableName, Key: key }));
    },
  );

  test('is returned in its old state by a put or delete that asks for it', async () => {
    const key = newKey();
    const put = (n: number) =>
      dynamo.send(new PutCommand({ TableName, Item: { ...key, n }, ReturnValues: 'ALL_OLD' }));
    expect((await put(1)).Attributes).toBeUndefined();
    expect((await put(2)).Attributes).toEqual({ ...key, n: 1 });
    const gone = new DeleteCommand({ TableName, Key: key, ReturnValues: 'ALL_OLD' });
    expect((await dynamo.send(gone)).Attributes).toEqual({ ...key, n: 2 });
    expect((await dynamo.send(gone)).Attributes).toBeUndefined();
  });

  test.each([
    ['ALL_OLD', { n: 1, kept: 'k', map: { a: 1, b: 2 } }],
    ['ALL_NEW', { n: 2, kept: 'k', map: { a: 3, b: 2 } }],
    ['UPDATED_NEW', { n: 2, map: { a: 3, b: 2 } }],
    ['NONE', undefined],
  ] as const)('is returned by an update that asks for %s', async (ReturnValues, expected) => {
    const key = newKey();
    await dynamo.send(new PutCommand({ TableName, Item: { ...key, n: 1, kept: 'k', map: { a: 1, b: 2 } } }));
    const { Attributes } = await dynamo.send(
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
    await dynamo.send(new PutCommand(create));
    const silent = await refusal(dynamo.send(new PutCommand(create)));
    expect(silent).toBeInstanceOf(ConditionalCheckFailedException);
    expect(silent).toMatchObject({ message: 'The conditional request failed', Item: undefined });
    const told = await refusal(
      dynamo.send(new PutCommand({ ...create, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' })),
    );
    expect(told).toMatchObject({ Item: { pk: { S: key.pk }, sk: { S: 'a' }, n: { N: '1' } } });
    const gone = { TableName, Key: key, ConditionExpression: 'n = :n' } as const;
    const deleted = (n: number) =>
      dynamo.send(new DeleteCommand({ ...gone, ExpressionAttributeValues: { ':n': n } }));
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
    expect((await refusal(dynamo.send(guarded))).name).toBe('ConditionalCheckFailedException');
    await dynamo.send(new UpdateCommand({ ...update, ...values }));
    await dynamo.send(guarded);
    expect(await get(key)).toEqual({ ...key, n: 2 });
  });

  test('is returned in part with a projection', async () => {
    const key = newKey();
    await dynamo.send(
      new PutCommand({ TableName, Item: { ...key, a: { b: 1, c: 2 }, steps: [1, 2, 3], d: 4 } }),
    );
    const { Item } = await dynamo.send(
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
    const call = dynamo.send(new GetCommand({ TableName: 'no-such-table', Key: newKey() }));
    expect((await refusal(call)).name).toBe('ResourceNotFoundException');
  });
});

describe('an impossible row', () => {
  const put = (Item: Record<string, unknown>) => dynamo.send(new PutCommand({ TableName, Item }));

  test('is one of more than 400 KB, names included', async () => {
    const key = newKey();
    const others = Buffer.byteLength(`pk${key.pk}sk${key.sk}words`);
    await put({ ...key, words: 'x'.repeat(LARGEST - others) });
    const error = await refusal(put({ ...key, words: 'x'.repeat(LARGEST - others + 1) }));
    expect(error.name).toBe('ValidationException');
    expect(error.message).toMatch(/Item size has exceeded the maximum allowed size/);
    const grown = { TableName, Key: key, UpdateExpression: 'SET n = :n' };
    const update = await refusal(
      dynamo.send(new UpdateCommand({ ...grown, ExpressionAttributeValues: { ':n': 1 } })),
    );
    expect(update.message).toMatch(/Item size.* has exceeded the maximum allowed size/);
    const { Item } = await dynamo.send(new GetCommand({ TableName, Key: key, ConsistentRead: true }));
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
      const error = await refusal(dynamo.send(new GetCommand({ TableName, Key })));
      expect(error.message).toMatch(/key element does not match the schema/);
    }
  });
});
