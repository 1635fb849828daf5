import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { batchGet } from '../../functions/aws/dynamo-reads.ts';
import { createTable } from '../engines/conformance/index.ts';
import { AwsWorld, faultAt } from '../engines/index.ts';

test('rows that DynamoDB leaves unread are asked for again', async () => {
  const world = new AwsWorld();
  const { dynamo } = world.startProcess();
  const table = await createTable(dynamo, 'id');
  const rows = ['a', 'b', 'c'].map((id) => ({ id }));
  for (const Item of rows) await dynamo.send(new PutCommand({ TableName: table, Item }));
  world.faults = faultAt({ operation: 'BatchGetItem', nth: 1 }, 'unprocessed');
  const read = await batchGet(dynamo, table, [...rows, { id: 'none' }]);
  expect(read.toSorted((one, other) => (String(one.id) < String(other.id) ? -1 : 1))).toEqual(rows);
});
