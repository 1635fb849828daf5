import { PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { AwsWorld } from '../aws-world.ts';
import { newKey, ownTable } from '../conformance/own-table.ts';
import { refusal } from '../conformance/refusal.ts';

/**
 * AWS does this and the emulator does not, so the conformance suite cannot contain it. If no page is named, this is
 * what the service was seen to answer.
 */
const ROW = { n: 5, words: 'old', steps: [0, 1, 2, 3], tree: { n: 1 } };

/**
 * From the developer guide: "If you add multiple elements in a single SET operation, the elements are sorted in order
 * by element number."
 */
const UPDATES: readonly (readonly [string, Record<string, unknown> | undefined, object])[] = [
  ['SET steps[9] = :b, steps[7] = :a', { ':a': 'a', ':b': 'b' }, { steps: [0, 1, 2, 3, 'a', 'b'] }],
  ['REMOVE steps[0], steps[2]', undefined, { steps: [1, 3] }],
  ['SET steps[1] = :a REMOVE steps[0]', { ':a': 'a' }, { steps: ['a', 2, 3] }],
];

const WRONG_UPDATES: readonly (readonly [string, Record<string, unknown> | undefined, RegExp])[] = [
  ['SET n', undefined, /Syntax error/],
  ['SET n = :v SET words = :v', { ':v': 1 }, /"SET" section can only be used once/],
  ['SET n = :v, n = :v', { ':v': 1 }, /Two document paths overlap/],
  ['SET tree = :v REMOVE tree.n', { ':v': 1 }, /Two document paths overlap/],
  ['SET n = words + :v', { ':v': 1 }, /incorrect data type/],
  ['SET n = list_append(n, :l)', { ':l': [1] }, /incorrect data type/],
];

const WRONG_CONDITIONS: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
  ['n < :v', { ':v': true }, /Incorrect operand type for operator or function/],
  ['((n = :v))', { ':v': 5 }, /redundant parentheses/],
  ['size(n) AND n = :v', { ':v': 5 }, /Syntax error/],
  ['n = attribute_exists(n) OR n = :v', { ':v': 5 }, /not allowed to be used this way/],
];

describe('more strictly than the emulator, the engine', () => {
  const { dynamodb, dynamo: db } = new AwsWorld().startProcess();
  let TableName: string;
  beforeAll(async () => {
    TableName = await ownTable(dynamodb);
  });
  const update = async (UpdateExpression: string, ExpressionAttributeValues?: Record<string, unknown>) => {
    const Key = newKey();
    await db.send(new PutCommand({ TableName, Item: { ...Key, ...ROW } }));
    await db.send(new UpdateCommand({ TableName, Key, UpdateExpression, ExpressionAttributeValues }));
    const { Item } = await db.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
    return { Key, Item };
  };

  test.each(UPDATES)('applies the update %s of %j correctly', async (expression, values, changes) => {
    const { Key, Item } = await update(expression, values);
    expect(Item).toEqual({ ...Key, ...ROW, ...changes });
  });

  test.each(WRONG_UPDATES)('refuses the update %s of %j', async (expression, values, message) => {
    const error = await refusal(update(expression, values));
    expect([error.name, error.message]).toEqual(['ValidationException', expect.stringMatching(message)]);
  });

  test.each(WRONG_CONDITIONS)('refuses the condition %s of %j', async (condition, values, message) => {
    const put = { TableName, Item: newKey(), ConditionExpression: condition };
    const error = await refusal(db.send(new PutCommand({ ...put, ExpressionAttributeValues: values })));
    expect([error.name, error.message]).toEqual(['ValidationException', expect.stringMatching(message)]);
  });

  // So does DynamoDB Local, in these words.
  test.each([{ '': 1 }, { map: { '': 1 } }, { list: [{ deep: { '': 1 } }] }])(
    'stores no attribute without a name, such as in %j',
    async (attributes) => {
      const Item = { ...newKey(), ...attributes };
      const error = await refusal(db.send(new PutCommand({ TableName, Item })));
      expect([error.name, error.message]).toEqual(['ValidationException', 'Empty attribute name']);
    },
  );

  test('adds numbers of 38 digits exactly', async () => {
    const { pk } = newKey();
    const Key = { pk: { S: pk }, sk: { S: 'a' } };
    const nines = '99999999999999999999999999999999999998';
    await dynamodb.send(new PutItemCommand({ TableName, Item: { ...Key, n: { N: nines } } }));
    const { Attributes } = await dynamodb.send(
      new UpdateItemCommand({
        TableName,
        Key,
        UpdateExpression: 'SET n = n + :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
        ReturnValues: 'ALL_NEW',
      }),
    );
    expect(Attributes?.n).toEqual({ N: '99999999999999999999999999999999999999' });
  });

  /** A row of this many bytes in total. */
  const rowOf = (bytes: number) => {
    const key = newKey();
    return { ...key, words: 'x'.repeat(bytes - Buffer.byteLength(`pk${key.pk}sk${key.sk}words`)) };
  };

  test('lets a transaction write 4 MB, but not a byte more', async () => {
    const rows = Array.from({ length: 16 }, () => rowOf(256 * 1024));
    const write = (Items: object[]) =>
      db.send(
        new TransactWriteCommand({
          TransactItems: Items.map((Item) => ({ Put: { TableName, Item: { ...Item } } })),
        }),
      );
    await write(rows);
    const error = await refusal(write([...rows.slice(1), rowOf(256 * 1024 + 1)]));
    expect(error.message).toMatch(/cannot exceed 4MB/);
  });

  test('ends a batch of reads at 16 MB, and names the rest', async () => {
    const rows = Array.from({ length: 43 }, () => rowOf(400 * 1024));
    for (const Item of rows) await db.send(new PutCommand({ TableName, Item }));
    const Keys = rows.map(({ pk, sk }) => ({ pk, sk }));
    const { Responses, UnprocessedKeys } = await db.send(
      new BatchGetCommand({ RequestItems: { [TableName]: { Keys } } }),
    );
    expect(Responses?.[TableName]).toHaveLength(40);
    expect(UnprocessedKeys?.[TableName]?.Keys).toEqual(Keys.slice(40));
  });

  test('says in a transaction which row the update does not fit', async () => {
    const Key = newKey();
    const update = {
      TableName,
      Key,
      UpdateExpression: 'SET n = n + :v',
      ExpressionAttributeValues: { ':v': 1 },
    };
    const error = await refusal(db.send(new TransactWriteCommand({ TransactItems: [{ Update: update }] })));
    expect(error).toMatchObject({ CancellationReasons: [{ Code: 'ValidationError' }] });
  });
});
