import {
  CreateTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';

/** Creates a table with the keys `pk` and `sk` and with both kinds of index that Genway uses. */
export async function ownTable(client: DynamoDBClient): Promise<string> {
  const TableName = `own-${crypto.randomUUID()}`;
  const schema: CreateTableCommandInput = {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
      { AttributeName: 'active', AttributeType: 'S' },
      { AttributeName: 'due_at', AttributeType: 'N' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by-sk',
        KeySchema: [
          { AttributeName: 'sk', KeyType: 'HASH' },
          { AttributeName: 'pk', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
      {
        IndexName: 'overdue',
        KeySchema: [
          { AttributeName: 'active', KeyType: 'HASH' },
          { AttributeName: 'due_at', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['seq'] },
      },
    ],
  };
  await client.send(new CreateTableCommand(schema));
  return TableName;
}

/** The key of a new row. */
export const newKey = () => ({ pk: crypto.randomUUID(), sk: 'a' });
