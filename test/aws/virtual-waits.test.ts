import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { newKey, ownTable } from '../engines/conformance/index.ts';
import { AwsWorld } from '../engines/index.ts';
import { waitBy } from './virtual-waits.ts';

/** Transactions that conflict over one row and are retried by our own code. */
async function run(seed: number) {
  const world = new AwsWorld({ seed });
  waitBy(world);
  const { transact } = await import('../../functions/aws/dynamo-writes.ts');
  const { dynamo, dynamodb } = world.startProcess();
  const TableName = await ownTable(dynamodb);
  const Key = newKey();
  const add = { TableName, Key, UpdateExpression: 'ADD n :one', ExpressionAttributeValues: { ':one': 1 } };
  const start = world.clock.now().getTime();
  const tries = Array.from({ length: 6 }, () => transact(dynamo, { row: { Update: add } }));
  const done = (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled').length;
  const { Item } = await dynamo.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  const took = world.clock.now().getTime() - start;
  return { done, n: Item?.n, took, calls: world.journal.calls.length };
}

test('pauses of our own code use virtual time, and are the same for the same seed', async () => {
  const one = await run(1);
  expect(one).toMatchObject({ done: 6, n: 6 });
  expect(one.calls).toBeGreaterThan(10);
  expect(one.took).toBeGreaterThan(50);
  expect(await run(1)).toEqual(one);
});
