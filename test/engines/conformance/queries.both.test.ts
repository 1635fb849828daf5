import {
  PutCommand,
  paginateQuery,
  paginateScan,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ownTable } from './own-table.ts';
import { refusal } from './refusal.ts';
import { dynamo, dynamodb } from './tested-clients.ts';

const TableName = await ownTable(dynamodb);

/** The sort keys of one partition, in order. */
const SKS = ['a', 'b#1', 'b#2', 'b#3', 'c', 'd'];

const RANGES: readonly (readonly [string, Record<string, string>, string[]])[] = [
  ['sk = :v', { ':v': 'c' }, ['c']],
  ['sk < :v', { ':v': 'b#2' }, ['a', 'b#1']],
  ['sk <= :v', { ':v': 'b#2' }, ['a', 'b#1', 'b#2']],
  ['sk > :v', { ':v': 'b#3' }, ['c', 'd']],
  ['sk >= :v', { ':v': 'c' }, ['c', 'd']],
  ['sk BETWEEN :v AND :w', { ':v': 'b#2', ':w': 'c' }, ['b#2', 'b#3', 'c']],
];

const WRONG: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
  ['sk = :v', { ':v': 'a' }, /missed key schema element: pk/],
  ['pk = :v AND n = :n', { ':v': 'a', ':n': 1 }, /not supported|missed key schema element/],
];

describe('a query', () => {
  const pk = crypto.randomUUID();
  beforeAll(async () => {
    for (const [n, sk] of SKS.entries())
      await dynamo.send(new PutCommand({ TableName, Item: { pk, sk, n } }));
    await dynamo.send(new PutCommand({ TableName, Item: { pk: 'another', sk: 'a', n: 9 } }));
  });
  const ask = (input: Partial<QueryCommandInput> = {}) =>
    dynamo.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ...input,
        ExpressionAttributeValues: { ':pk': pk, ...input.ExpressionAttributeValues },
      }),
    );
  const sksOf = (rows: readonly Record<string, unknown>[] = []) => rows.map(({ sk }) => sk);

  test('returns one partition in order, or backwards', async () => {
    expect(await ask()).toMatchObject({ Count: 6, ScannedCount: 6 });
    expect(sksOf((await ask()).Items)).toEqual(SKS);
    expect(sksOf((await ask({ ScanIndexForward: false })).Items)).toEqual(SKS.toReversed());
    expect(await ask({ ExpressionAttributeValues: { ':pk': 'nobody' } })).toMatchObject({
      Items: [],
      Count: 0,
    });
  });

  test.each(RANGES)('takes the range %s of %j', async (range, values, expected) => {
    const { Items } = await ask({
      KeyConditionExpression: `pk = :pk AND ${range}`,
      ExpressionAttributeValues: values,
    });
    expect(sksOf(Items)).toEqual(expected);
  });

  test.each(WRONG)('%s of %j is refused', async (KeyConditionExpression, values, message) => {
    const error = await refusal(
      dynamo.send(new QueryCommand({ TableName, KeyConditionExpression, ExpressionAttributeValues: values })),
    );
    expect(error.name).toBe('ValidationException');
    expect(error.message).toMatch(message);
  });

  test('stops at its limit and continues after it, in both directions', async () => {
    for (const ScanIndexForward of [true, false]) {
      const pages: unknown[][] = [];
      const all = paginateQuery(
        { client: dynamo, pageSize: 4 },
        {
          TableName,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': pk },
          ScanIndexForward,
        },
      );
      for await (const { Items } of all) pages.push(sksOf(Items));
      expect(pages.flat()).toEqual(ScanIndexForward ? SKS : SKS.toReversed());
      expect(pages.map(({ length }) => length)).toEqual([4, 2]);
    }
  });

  test('may stop at the very end, and then finds nothing more', async () => {
    const { Items, LastEvaluatedKey } = await ask({ Limit: SKS.length });
    expect([sksOf(Items), LastEvaluatedKey]).toEqual([SKS, { pk, sk: 'd' }]);
    const rest = await ask({ Limit: SKS.length, ExclusiveStartKey: LastEvaluatedKey });
    expect([rest.Items, rest.LastEvaluatedKey]).toEqual([[], undefined]);
  });

  test('continues after a key that was deleted or never existed', async () => {
    const { Items } = await ask({ ExclusiveStartKey: { pk, sk: 'b#25' } });
    expect(sksOf(Items)).toEqual(['b#3', 'c', 'd']);
  });

  test('refuses to continue after a key outside its range', async () => {
    const error = await refusal(
      ask({
        KeyConditionExpression: 'pk = :pk AND sk >= :sk',
        ExpressionAttributeValues: { ':sk': 'c' },
        ExclusiveStartKey: { pk, sk: 'a' },
      }),
    );
    expect(error.name).toBe('ValidationException');
    expect(error.message).toMatch(/starting key does not match the range key predicate/);
  });

  test('applies its filter after its limit', async () => {
    const page = await ask({
      FilterExpression: 'n >= :n',
      ExpressionAttributeValues: { ':n': 3 },
      Limit: 4,
    });
    expect(page).toMatchObject({ Count: 1, ScannedCount: 4, LastEvaluatedKey: { pk, sk: 'b#3' } });
    expect(sksOf(page.Items)).toEqual(['b#3']);
  });

  test('ends a page at 1 MB of what it has read', async () => {
    const large = crypto.randomUUID();
    const words = 'x'.repeat(300 * 1024);
    for (const sk of SKS) await dynamo.send(new PutCommand({ TableName, Item: { pk: large, sk, words } }));
    const asked = {
      ExpressionAttributeValues: { ':pk': large, ':sk': 'a' },
      FilterExpression: 'words = :sk',
    };
    const first = await ask(asked);
    expect(first.Count).toBe(0);
    expect(first.LastEvaluatedKey).toBeDefined();
    expect(first.ScannedCount).toBeLessThan(6);
    const second = await ask({ ...asked, ExclusiveStartKey: first.LastEvaluatedKey });
    expect((first.ScannedCount ?? 0) + (second.ScannedCount ?? 0)).toBe(6);
  });

  test('of an index finds the rows with its attributes, and returns what the index contains', async () => {
    const active = crypto.randomUUID();
    for (const [sk, due_at] of [
      ['a', 30],
      ['b', 4],
      ['c', 100],
    ] as const) {
      await dynamo.send(
        new PutCommand({ TableName, Item: { pk: active, sk, active, due_at, seq: 1, words: 'x' } }),
      );
    }
    await dynamo.send(new PutCommand({ TableName, Item: { pk: active, sk: 'never due', active } }));
    const overdue = (input: Partial<QueryCommandInput> = {}) =>
      dynamo.send(
        new QueryCommand({
          TableName,
          IndexName: 'overdue',
          KeyConditionExpression: 'active = :active AND due_at < :due',
          ExpressionAttributeValues: { ':active': active, ':due': 100 },
          ...input,
        }),
      );
    const { Items = [] } = await overdue();
    expect(sksOf(Items)).toEqual(['b', 'a']);
    expect(Items[0]).toEqual({ pk: active, sk: 'b', active, due_at: 4, seq: 1 });
    const { LastEvaluatedKey } = await overdue({ Limit: 1 });
    expect(LastEvaluatedKey).toEqual({ pk: active, sk: 'b', active, due_at: 4 });
    expect(sksOf((await overdue({ ExclusiveStartKey: LastEvaluatedKey })).Items)).toEqual(['a']);
    const gone = { TableName, Key: { pk: active, sk: 'b' }, UpdateExpression: 'REMOVE active' };
    await dynamo.send(new UpdateCommand(gone));
    expect(sksOf((await overdue()).Items)).toEqual(['a']);
  });

  test('of an index is never consistent', async () => {
    const query = new QueryCommand({
      TableName,
      IndexName: 'overdue',
      ConsistentRead: true,
      KeyConditionExpression: 'active = :active',
      ExpressionAttributeValues: { ':active': 'x' },
    });
    expect((await refusal(dynamo.send(query))).message).toMatch(/Consistent reads are not supported/);
  });

  test('of a missing index is refused', async () => {
    const error = await refusal(ask({ IndexName: 'nowhere' }));
    expect(error.message).toMatch(/does not have the specified index/);
  });
});

describe('a scan', () => {
  test('returns every row once, page by page', async () => {
    const TableName = await ownTable(dynamodb);
    const rows = Array.from({ length: 23 }, (_, i) => ({ pk: `p${i % 5}`, sk: `s${i}`, n: i }));
    for (const Item of rows) await dynamo.send(new PutCommand({ TableName, Item }));
    const found: unknown[] = [];
    for await (const { Items = [], Count } of paginateScan({ client: dynamo, pageSize: 4 }, { TableName })) {
      expect(Count).toBeLessThanOrEqual(4);
      found.push(...Items.map(({ n }) => n));
    }
    expect(found.toSorted((a, b) => Number(a) - Number(b))).toEqual(rows.map(({ n }) => n));
    const few = await dynamo.send(
      new ScanCommand({
        TableName,
        FilterExpression: 'n < :n',
        ExpressionAttributeValues: { ':n': 3 },
        ConsistentRead: true,
      }),
    );
    expect(few).toMatchObject({ Count: 3, ScannedCount: 23 });
  });
});
