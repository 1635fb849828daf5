import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { refusal } from '../refusal.ts';
import { type Connect, documents, newKey, ownTable } from './own-table.ts';

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
const WRONG: readonly (readonly [string, Record<string, unknown> | undefined, RegExp])[] = [
  ['', undefined, /can not be empty/],
  ['n = ', undefined, /Syntax error/],
  ['n = :v)', { ':v': 1 }, /Syntax error/],
  ['n == :v', { ':v': 1 }, /Syntax error/],
  ['n = :v', undefined, /attribute value used in expression is not defined; attribute value: :v/],
  ['n = :v', { ':v': 1, ':other': 2 }, /ExpressionAttributeValues unused in expressions: keys: \{:other\}/],
  ['#n = :v', { ':v': 1 }, /attribute name used in the document path is not defined; attribute name: #n/],
  ['status = :v', { ':v': 1 }, /reserved keyword; reserved keyword: status/],
];

export function describeConditions(connect: Connect): void {
  describe('a condition', () => {
    let db: DynamoDBDocumentClient;
    let TableName: string;
    const Key = newKey();
    beforeAll(async () => {
      db = documents(connect());
      TableName = await ownTable(connect());
      await db.send(new PutCommand({ TableName, Item: { ...Key, ...ROW } }));
    });
    /** Writes the same row again, under this condition. */
    const putIf = (
      ConditionExpression: string,
      ExpressionAttributeValues: Record<string, unknown> | undefined,
    ) =>
      db.send(
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

    test.each(WRONG)('%s of %j is refused', async (condition, values, message) => {
      const error = await refusal(putIf(condition, values));
      expect(error.name).toBe('ValidationException');
      expect(error.message).toMatch(message);
    });

    test('may call attributes by other names, all of which it must use', async () => {
      const gone = { TableName, Key: newKey(), ConditionExpression: '#status <> :v' };
      const ExpressionAttributeValues = { ':v': 1 };
      await db.send(
        new DeleteCommand({
          ...gone,
          ExpressionAttributeNames: { '#status': 'status' },
          ExpressionAttributeValues,
        }),
      );
      const names = { '#status': 'status', '#other': 'other' };
      const error = await refusal(
        db.send(new DeleteCommand({ ...gone, ExpressionAttributeNames: names, ExpressionAttributeValues })),
      );
      expect(error.message).toMatch(/ExpressionAttributeNames unused in expressions: keys: \{#other\}/);
    });
  });
}
