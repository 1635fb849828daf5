import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { setExpression } from '../../functions/aws/dynamo-writes.ts';
import { newKey, ownTable } from '../engines/conformance/index.ts';
import { AwsWorld } from '../engines/index.ts';

test('changes work beside a condition on the same attribute, and with reserved names', async () => {
  const { dynamo, dynamodb } = new AwsWorld().startProcess();
  const TableName = await ownTable(dynamodb);
  const Key = newKey();
  await dynamo.send(new PutCommand({ TableName, Item: { ...Key, status: 'open', left: 1 } }));
  const { set, names, values } = setExpression({ status: 'closed', size: 3 });
  await dynamo.send(
    new UpdateCommand({
      TableName,
      Key,
      UpdateExpression: set,
      ConditionExpression: '#status = :status',
      ExpressionAttributeNames: { ...names, '#status': 'status' },
      ExpressionAttributeValues: { ...values, ':status': 'open' },
    }),
  );
  const { Item } = await dynamo.send(new GetCommand({ TableName, Key }));
  expect(Item).toEqual({ ...Key, status: 'closed', size: 3, left: 1 });
});
