import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { stage } from './stage.ts';

/** So many requests at once wait for a socket on purpose. */
const requestHandler = { socketAcquisitionWarningTimeout: 60_000 };

export const dynamo = DynamoDBDocumentClient.from(new DynamoDBClient({ ...stage.aws, requestHandler }), {
  marshallOptions: { removeUndefinedValues: true },
});

/** An empty table of the test's own, which no deployed function looks at. */
export async function createTable(partitionKey: string): Promise<string> {
  const name = `test-${crypto.randomUUID()}`;
  await dynamo.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: partitionKey, KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: partitionKey, AttributeType: 'S' }],
    }),
  );
  return name;
}
