import { type DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { refusal } from '../refusal.ts';
import { type Connect, documents, newKey, ownTable } from './own-table.ts';

const ROW = { n: 5, words: 'old', steps: [0, 1, 2, 3], tree: { n: 1, gone: 2 }, tags: new Set(['a', 'b']) };

/** Updates of the row above, their values, and the attributes that change. An undefined attribute is removed. */
const UPDATES: readonly (readonly [string, Record<string, unknown> | undefined, object])[] = [
  ['SET n = :v', { ':v': 'x' }, { n: 'x' }],
  ['SET n = n + :v, words = :t', { ':v': 2, ':t': 'new' }, { n: 7, words: 'new' }],
  ['SET n = n - :v', { ':v': 7 }, { n: -2 }],
  ['SET n = tree.n, tree.n = n', undefined, { n: 1, tree: { n: 5, gone: 2 } }],
  ['SET m = if_not_exists(m, :zero) + :one', { ':zero': 0, ':one': 1 }, { m: 1 }],
  ['SET n = if_not_exists(n, :zero) + :one', { ':zero': 0, ':one': 1 }, { n: 6 }],
  ['SET steps = list_append(steps, :l)', { ':l': [4] }, { steps: [0, 1, 2, 3, 4] }],
  ['SET steps = list_append(:l, steps)', { ':l': [-1] }, { steps: [-1, 0, 1, 2, 3] }],
  ['SET l = list_append(if_not_exists(l, :none), :l)', { ':none': [], ':l': [1] }, { l: [1] }],
  ['SET steps[1] = :v', { ':v': 'one' }, { steps: [0, 'one', 2, 3] }],
  ['SET tree.deep = :v', { ':v': { a: [] } }, { tree: { n: 1, gone: 2, deep: { a: [] } } }],
  ['REMOVE words, tree.gone, absent', undefined, { words: undefined, tree: { n: 1 } }],
  ['REMOVE steps[9]', undefined, {}],
  ['ADD n :v', { ':v': 2.5 }, { n: 7.5 }],
  ['ADD fresh :v', { ':v': 3 }, { fresh: 3 }],
  ['ADD tags :v', { ':v': new Set(['b', 'c']) }, { tags: new Set(['a', 'b', 'c']) }],
  ['ADD extras :v', { ':v': new Set(['a']) }, { extras: new Set(['a']) }],
  ['DELETE tags :v', { ':v': new Set(['a', 'z']) }, { tags: new Set(['b']) }],
  ['DELETE tags :v', { ':v': new Set(['a', 'b']) }, { tags: undefined }],
  ['DELETE absent :v', { ':v': new Set(['a']) }, {}],
  [
    'set n = :v remove words add tree.n :v delete tags :a',
    { ':v': 1, ':a': new Set(['a']) },
    { n: 1, words: undefined, tree: { n: 2, gone: 2 }, tags: new Set(['b']) },
  ],
];

const WRONG: readonly (readonly [string, Record<string, unknown> | undefined, RegExp])[] = [
  ['', undefined, /can not be empty/],
  ['SET sk = :v', { ':v': 'b' }, /Cannot update attribute sk. This attribute is part of the key/],
  ['SET n = absent + :v', { ':v': 1 }, /attribute that does not exist/],
  ['SET absent.child = :v', { ':v': 1 }, /document path provided in the update expression is invalid/],
  ['ADD words :v', { ':v': 1 }, /incorrect data type/],
  ['ADD n :v', { ':v': 'one' }, /Incorrect operand type/],
  ['SET status = :v', { ':v': 1 }, /reserved keyword/],
];

export function describeUpdates(connect: Connect): void {
  describe('an update', () => {
    let db: DynamoDBDocumentClient;
    let TableName: string;
    beforeAll(async () => {
      db = documents(connect());
      TableName = await ownTable(connect());
    });
    const rowAfter = async (
      UpdateExpression: string,
      ExpressionAttributeValues?: Record<string, unknown>,
    ) => {
      const Key = newKey();
      await db.send(new PutCommand({ TableName, Item: { ...Key, ...ROW } }));
      await db.send(new UpdateCommand({ TableName, Key, UpdateExpression, ExpressionAttributeValues }));
      const { Item = {} } = await db.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
      const { pk: _, sk: __, ...rest } = Item;
      return rest;
    };

    test.each(UPDATES)('%s of %j changes what it says', async (update, values, changes) => {
      const expected = Object.entries({ ...ROW, ...changes }).filter(([, value]) => value !== undefined);
      expect(await rowAfter(update, values)).toEqual(Object.fromEntries(expected));
    });

    test.each(WRONG)('%s of %j is refused', async (update, values, message) => {
      const error = await refusal(rowAfter(update, values));
      expect(error.name).toBe('ValidationException');
      expect(error.message).toMatch(message);
    });

    test('is not lost among simultaneous ones', async () => {
      const Key = newKey();
      const add = {
        TableName,
        Key,
        UpdateExpression: 'ADD n :one',
        ExpressionAttributeValues: { ':one': 1 },
      };
      await Promise.all(Array.from({ length: 30 }, () => db.send(new UpdateCommand(add))));
      const { Item } = await db.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
      expect(Item).toEqual({ ...Key, n: 30 });
    });
  });
}
