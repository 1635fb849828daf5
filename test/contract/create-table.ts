import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** An empty table of one's own, which no deployed function looks at. */
export async function createTable(client: DynamoDBDocumentClient, partitionKey: string): Promise<string> {
  const name = `own-${crypto.randomUUID()}`;
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: partitionKey, KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: partitionKey, AttributeType: 'S' }],
    }),
  );
  return name;
}
