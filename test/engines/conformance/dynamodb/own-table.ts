import {
  CreateTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** What a suite runs on. It is asked for when the tests run, not before. */
export type Connect = () => DynamoDBClient;

/** A table whose rows have a `pk` and an `sk`, with indexes of both kinds that are in use. */
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

export const documents = (client: DynamoDBClient): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });

/** The key of a row that no other test has. */
export const newKey = () => ({ pk: crypto.randomUUID(), sk: 'a' });
