import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import {
  conditionFailed,
  oldItem,
  refusedBy,
  TransactionRefused,
} from '../../functions/aws/dynamo-writes.ts';
import { newKey, ownTable, refusal } from '../engines/conformance/index.ts';
import { AwsWorld, faultAt } from '../engines/index.ts';
import { waitBy } from './virtual-waits.ts';

waitBy(new AwsWorld());
const { transact, updateWhere } = await import('../../functions/aws/dynamo-writes.ts');

const tag = v.object({ tag: v.string() });

async function start() {
  const world = new AwsWorld();
  waitBy(world);
  const { dynamo, dynamodb } = world.startProcess();
  const TableName = await ownTable(dynamodb);
  const insertion = (Key: ReturnType<typeof newKey>, text = 'new') => ({
    Put: {
      TableName,
      Item: { ...Key, tag: text },
      ConditionExpression: 'attribute_not_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    },
  });
  const existing = async (text: string) => {
    const Key = newKey();
    await dynamo.send(new PutCommand(insertion(Key, text).Put));
    return Key;
  };
  const find = async (Key: ReturnType<typeof newKey>) =>
    (await dynamo.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;
  const transactions = () =>
    world.journal.calls.filter(({ operation }) => operation === 'TransactWriteItems').length;
  return { world, dynamo, TableName, insertion, existing, find, transactions };
}

let it: Awaited<ReturnType<typeof start>>;
beforeEach(async () => {
  it = await start();
});

describe('a transaction of named items', () => {
  test('writes all of them: one item for a name, several, or none', async () => {
    const keys = [newKey(), newKey(), newKey()] as const;
    const [first, ...others] = keys.map((key) => it.insertion(key));
    await transact(it.dynamo, { first: first!, others, none: undefined, empty: [] });
    for (const key of keys) expect(await it.find(key)).toMatchObject({ tag: 'new' });
  });

  test('names the items whose conditions failed, with their old rows, and writes nothing', async () => {
    const [free, taken, other] = [newKey(), await it.existing('old'), await it.existing('another')];
    const items = {
      none: undefined,
      free: it.insertion(free),
      taken: it.insertion(taken),
      other: it.insertion(other),
    };
    const error = await refusal(transact(it.dynamo, items));
    expect(error).toBeInstanceOf(TransactionRefused);
    expect(['none', 'free', 'taken', 'other'].map((name) => refusedBy(error, name))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect([refusedBy(error, 'free', 'other'), refusedBy(error, 'free', 'none')]).toEqual([true, false]);
    expect([oldItem(error, tag, 'taken'), oldItem(error, tag, 'other')]).toEqual([
      { tag: 'old' },
      { tag: 'another' },
    ]);
    expect([oldItem(error, tag, 'free'), oldItem(error, tag)]).toEqual([undefined, undefined]);
    expect(error.cause).toMatchObject({ name: 'TransactionCanceledException' });
    expect(await it.find(free)).toBeUndefined();
  });

  test('is refused under a name if one of its items is', async () => {
    const rows = [it.insertion(newKey()), it.insertion(await it.existing('old'))];
    const error = await refusal(transact(it.dynamo, { first: it.insertion(newKey()), rows }));
    expect([refusedBy(error, 'first'), refusedBy(error, 'rows')]).toEqual([false, true]);
    expect(oldItem(error, tag, 'rows')).toEqual({ tag: 'old' });
  });

  test('is not retried after a failed condition', async () => {
    await refusal(transact(it.dynamo, { row: it.insertion(await it.existing('old')) }));
    expect(it.transactions()).toBe(1);
  });

  test('that conflicts with another one is retried, ten attempts in total', async () => {
    const key = newKey();
    it.world.faults = faultAt({ operation: 'TransactWriteItems', nth: 1 }, 'conflict');
    await transact(it.dynamo, { row: it.insertion(key) });
    expect([it.transactions(), await it.find(key)]).toEqual([2, { ...key, tag: 'new' }]);
    it.world.faults = faultAt({ operation: 'TransactWriteItems' }, 'conflict');
    const error = await refusal(transact(it.dynamo, { row: it.insertion(newKey()) }));
    expect([it.transactions(), error.name]).toEqual([12, 'TransactionCanceledException']);
    expect(refusedBy(error, 'row')).toBe(false);
  });
});

test('a refused single write has no name, and returns its old item', async () => {
  const error = await refusal(it.dynamo.send(new PutCommand(it.insertion(await it.existing('old')).Put)));
  expect([conditionFailed(error), refusedBy(error, 'row')]).toEqual([true, false]);
  expect(oldItem(error, tag)).toEqual({ tag: 'old' });
});

test('a single write that meets a transaction on its row is tried again, and its condition is judged then', async () => {
  const key = await it.existing('old');
  const update = {
    TableName: it.TableName,
    Key: key,
    UpdateExpression: 'SET tag = :new',
    ConditionExpression: 'tag = :old',
    ExpressionAttributeValues: { ':new': 'changed', ':old': 'old' },
  };
  it.world.faults = faultAt({ operation: 'UpdateItem', nth: 1 }, 'conflict');
  expect(await updateWhere(it.dynamo, update)).toBe(true);
  expect(await it.find(key)).toMatchObject({ tag: 'changed' });
  expect(await updateWhere(it.dynamo, update)).toBe(false);
});
