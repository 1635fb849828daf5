import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { newKey, ownTable } from './own-table.ts';
import { refusal } from './refusal.ts';
import { dynamo, dynamodb } from './tested-clients.ts';

const TableName = await ownTable(dynamodb);

const ROW = {
  n: 5,
  words: 'banana',
  flag: true,
  nothing: null,
  bytes: Uint8Array.of(1, 2, 3),
  steps: [1, 'two', [3]],
  tree: { child: { n: 7 }, steps: ['x'] },
  tags: new Set(['a', 'b']),
};

/** Conditions, their values, and whether the row above meets them. */
const CONDITIONS: readonly (readonly [string, Record<string, unknown> | undefined, boolean])[] = [
  ['n = :v', { ':v': 5 }, true],
  ['n = :v', { ':v': '5' }, false],
  ['n <> :v', { ':v': '5' }, true],
  ['n < :v', { ':v': 10 }, true],
  ['n < :v', { ':v': 5 }, false],
  ['n <= :v', { ':v': 5 }, true],
  ['n >= :v', { ':v': 5.000001 }, false],
  ['words > :v', { ':v': 'banan' }, true],
  ['words > :v', { ':v': 1 }, false],
  [':v < n', { ':v': 4 }, true],
  ['absent = :v', { ':v': 1 }, false],
  ['absent <> :v', { ':v': 1 }, true],
  ['absent < :v', { ':v': 1 }, false],
  ['NOT absent < :v', { ':v': 1 }, true],
  ['n IN (:a, :b)', { ':a': 4, ':b': 5 }, true],
  ['n IN (:a)', { ':a': 4 }, false],
  ['attribute_exists(nothing)', undefined, true],
  ['attribute_exists(tree.child.n)', undefined, true],
  ['attribute_exists(steps[2][0])', undefined, true],
  ['attribute_exists(steps[3])', undefined, false],
  ['attribute_exists(words.child)', undefined, false],
  ['attribute_not_exists(tree.another)', undefined, true],
  ['size(words) = :v', { ':v': 6 }, true],
  ['size(tags) < :v', { ':v': 2 }, false],
  ['size(steps) = size(bytes)', undefined, true],
  ['size(tree) = :v', { ':v': 2 }, true],
  ['size(absent) < :v', { ':v': 9 }, false],
  ['tree.child = :v', { ':v': { n: 7 } }, true],
  ['tree = :v', { ':v': { n: 7 } }, false],
  ['steps[0] = :v', { ':v': 1 }, true],
  ['tags = :v', { ':v': new Set(['b', 'a']) }, true],
  ['flag = :v AND nothing = :null', { ':v': true, ':null': null }, true],
  ['n = :no OR n = :v AND words = :no', { ':no': 0, ':v': 5 }, false],
  ['n = :v OR n = :no AND words = :no', { ':no': 0, ':v': 5 }, true],
  ['(n = :v OR n = :no) AND words = :no', { ':no': 0, ':v': 5 }, false],
  ['NOT n = :v OR flag = :true', { ':v': 5, ':true': true }, true],
  ['NOT (n = :v OR flag = :true)', { ':v': 5, ':true': true }, false],
  ['not n = :no and n in (:v)', { ':v': 5, ':no': 0 }, true],
];

/** Conditions that are wrong for any row, and the message of the refusal. */
const WRONG_CONDITIONS: readonly (readonly [string, Record<string, unknown> | undefined, RegExp])[] = [
  ['', undefined, /can not be empty/],
  ['n = ', undefined, /Syntax error/],
  ['n = :v)', { ':v': 1 }, /Syntax error/],
  ['n == :v', { ':v': 1 }, /Syntax error/],
  ['n = :v', undefined, /attribute value used in expression is not defined; attribute value: :v/],
  ['n = :v', { ':v': 1, ':other': 2 }, /ExpressionAttributeValues unused in expressions: keys: \{:other\}/],
  ['#n = :v', { ':v': 1 }, /attribute name used in the document path is not defined; attribute name: #n/],
  ['status = :v', { ':v': 1 }, /reserved keyword; reserved keyword: status/],
];

describe('a condition', () => {
  const Key = newKey();
  beforeAll(async () => {
    await dynamo.send(new PutCommand({ TableName, Item: { ...Key, ...ROW } }));
  });
  /** Writes the same row again, under this condition. */
  const putIf = (
    ConditionExpression: string,
    ExpressionAttributeValues: Record<string, unknown> | undefined,
  ) =>
    dynamo.send(
      new PutCommand({
        TableName,
        Item: { ...Key, ...ROW },
        ConditionExpression,
        ExpressionAttributeValues,
      }),
    );

  test.each(CONDITIONS)('%s of %j is %s', async (condition, values, expected) => {
    const outcome = await putIf(condition, values).then(
      () => true,
      (error: Error) => (error.name === 'ConditionalCheckFailedException' ? false : error),
    );
    expect(outcome).toBe(expected);
  });

  test.each(WRONG_CONDITIONS)('%s of %j is refused', async (condition, values, message) => {
    const error = await refusal(putIf(condition, values));
    expect(error.name).toBe('ValidationException');
    expect(error.message).toMatch(message);
  });

  test('may call attributes by other names, all of which it must use', async () => {
    const gone = { TableName, Key: newKey(), ConditionExpression: '#status <> :v' };
    const ExpressionAttributeValues = { ':v': 1 };
    await dynamo.send(
      new DeleteCommand({
        ...gone,
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues,
      }),
    );
    const names = { '#status': 'status', '#other': 'other' };
    const error = await refusal(
      dynamo.send(new DeleteCommand({ ...gone, ExpressionAttributeNames: names, ExpressionAttributeValues })),
    );
    expect(error.message).toMatch(/ExpressionAttributeNames unused in expressions: keys: \{#other\}/);
  });
});

const BEFORE = {
  n: 5,
  words: 'old',
  steps: [0, 1, 2, 3],
  tree: { n: 1, gone: 2 },
  tags: new Set(['a', 'b']),
};

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
  ['ADD n :v', { ':v': 2 }, { n: 7 }],
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

const WRONG_UPDATES: readonly (readonly [string, Record<string, unknown> | undefined, RegExp])[] = [
  ['', undefined, /can not be empty/],
  ['SET sk = :v', { ':v': 'b' }, /Cannot update attribute sk. This attribute is part of the key/],
  ['SET n = absent + :v', { ':v': 1 }, /attribute that does not exist/],
  ['SET absent.child = :v', { ':v': 1 }, /document path provided in the update expression is invalid/],
  ['ADD words :v', { ':v': 1 }, /incorrect data type/],
  ['ADD n :v', { ':v': 'one' }, /Incorrect operand type/],
  ['SET status = :v', { ':v': 1 }, /reserved keyword/],
];

describe('an update', () => {
  const rowAfter = async (UpdateExpression: string, ExpressionAttributeValues?: Record<string, unknown>) => {
    const Key = newKey();
    await dynamo.send(new PutCommand({ TableName, Item: { ...Key, ...BEFORE } }));
    await dynamo.send(new UpdateCommand({ TableName, Key, UpdateExpression, ExpressionAttributeValues }));
    const { Item = {} } = await dynamo.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
    const { pk: _, sk: __, ...rest } = Item;
    return rest;
  };

  test.each(UPDATES)('%s of %j changes what it says', async (update, values, changes) => {
    const expected = Object.entries({ ...BEFORE, ...changes }).filter(([, value]) => value !== undefined);
    expect(await rowAfter(update, values)).toEqual(Object.fromEntries(expected));
  });

  test.each(WRONG_UPDATES)('%s of %j is refused', async (update, values, message) => {
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
    await Promise.all(Array.from({ length: 30 }, () => dynamo.send(new UpdateCommand(add))));
    const { Item } = await dynamo.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
    expect(Item).toEqual({ ...Key, n: 30 });
  });
});
