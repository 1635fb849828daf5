import { DeleteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { BucketStore } from '../../functions/gate/bucket-store.ts';
import { createTable } from '../engines/conformance/index.ts';
import { AwsWorld } from '../engines/index.ts';

const NOW = new Date('2030-01-01T00:00:00.001Z');
const MICROSECONDS = NOW.getTime() * 1000;
const later = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);
const rate = { perMinute: 2 };

async function start() {
  const { dynamo } = new AwsWorld().startProcess();
  const table = await createTable(dynamo, 'id');
  return { dynamo, table, store: new BucketStore(dynamo, table), other: new BucketStore(dynamo, table) };
}

describe('a bucket', () => {
  test('says what is left, when it is full, and when the next token comes', async () => {
    const { store } = await start();
    const full = MICROSECONDS + 60_000_000;
    await store.take('a', rate, NOW);
    expect(await store.take('a', rate, NOW)).toEqual({ taken: true, tokensLeft: 0, fullAt: full });
    expect(await store.take('a', rate, later(10_000))).toEqual({
      taken: false,
      nextTokenAt: MICROSECONDS + 30_000_000,
      fullAt: full,
    });
  });

  test('leaves the table two minutes after its last token, in whole seconds', async () => {
    const { dynamo, table, store } = await start();
    const expiry = async () =>
      (await dynamo.send(new GetCommand({ TableName: table, Key: { id: 'a' } }))).Item?.expires_at;
    await store.take('a', rate, NOW);
    expect(await expiry()).toBe(Date.parse('2030-01-01T00:02:01Z') / 1000);
    await store.take('a', rate, later(1_000));
    expect(await expiry()).toBe(Date.parse('2030-01-01T00:02:02Z') / 1000);
  });

  test('whose row has left the table since it was seen is full', async () => {
    const { dynamo, table, store } = await start();
    await store.take('a', rate, NOW);
    await dynamo.send(new DeleteCommand({ TableName: table, Key: { id: 'a' } }));
    expect(await store.take('a', rate, NOW)).toMatchObject({ taken: true, tokensLeft: 1 });
  });

  test.each([
    ['five minutes ahead is believed', 0, false],
    ['more than five minutes ahead is not believed', 1, true],
  ])('that is full %s', async (_, beyond, taken) => {
    const { store, other } = await start();
    await other.take('a', rate, later(5 * 60_000 - 30_000 + beyond));
    expect(await store.take('a', rate, NOW)).toMatchObject({ taken });
  });

  test('that cannot be written fails as DynamoDB does', async () => {
    const { dynamo } = await start();
    await expect(new BucketStore(dynamo, 'nowhere').take('a', rate, NOW)).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });
});
