import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { restoreRows } from '../../../bin/admin/restore-rows.ts';
import { AwsWorld } from '../../engines/index.ts';

const KEYS = ['workspace_id', 'id'];
let client: ReturnType<AwsWorld['startProcess']>['dynamo'];

beforeEach(() => {
  const world = new AwsWorld();
  for (const TableName of ['restored', 'current']) {
    world.dynamodb.createTable({
      TableName,
      GlobalSecondaryIndexes: [],
      KeySchema: [
        { AttributeName: 'workspace_id', KeyType: 'HASH' },
        { AttributeName: 'id', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: KEYS.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    });
  }
  client = world.startProcess().dynamo;
});

const row = (id: string, fields = {}) => ({ workspace_id: 'w', id, ...fields });
const put = async (TableName: string, ...rows: Record<string, unknown>[]) => {
  for (const Item of rows) await client.send(new PutCommand({ TableName, Item }));
};
const current = async () => (await client.send(new ScanCommand({ TableName: 'current' }))).Items;
const restore = (options = {}) =>
  restoreRows(
    { client, restored: 'restored', current: 'current', keys: KEYS },
    { only: undefined, writes: true, removesLater: false, ...options },
  );

describe('rows of a restored table', () => {
  const before = [
    row('a', { n: 1, set: new Set(['x', 'y']), nested: { b: [true, null] } }),
    row('b'),
    row('c'),
  ];
  beforeEach(async () => {
    await put('restored', ...before);
    await put('current', row('b', { damaged: true }), row('c'), row('d'));
  });

  test('that are gone or changed are restored, and newer rows stay', async () => {
    expect(await restore()).toEqual({ missing: 1, different: 1, later: 1 });
    expect(await current()).toEqual([...before, row('d')]);
    expect(await restore()).toEqual({ missing: 0, different: 0, later: 1 });
  });

  test('replace all newer rows, if the option says so', async () => {
    expect(await restore({ removesLater: true })).toEqual({ missing: 1, different: 1, later: 1 });
    expect(await current()).toEqual(before);
  });

  test('are only counted without --write', async () => {
    const was = await current();
    expect(await restore({ writes: false, removesLater: true })).toEqual({
      missing: 1,
      different: 1,
      later: 1,
    });
    expect(await current()).toEqual(was);
  });

  test('are only changed if they are named', async () => {
    await put('restored', { workspace_id: 'other', id: 'a' });
    expect(await restore({ only: ['other'] })).toEqual({ missing: 1, different: 0, later: 0 });
    expect(await restore({ only: ['w'] })).toEqual({ missing: 1, different: 1, later: 1 });
  });
});

test('a table of more than a page is compared row by row', async () => {
  const rows = Array.from({ length: 205 }, (_, index) => row(`r${index}`, { text: 'x'.repeat(100) }));
  await put('restored', ...rows);
  await put('current', ...rows.slice(3));
  expect(await restore()).toEqual({ missing: 3, different: 0, later: 0 });
  expect(await current()).toHaveLength(205);
});
