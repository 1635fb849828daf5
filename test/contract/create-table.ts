import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** Creates an empty table that no deployed function uses. */
export async function createTable(
  client: DynamoDBDocumentClient,
  partitionKey: string,
  { sortKey, indexes = {} }: TableOptions = {},
): Promise<string> {
  const name = `own-${crypto.randomUUID()}`;
  const keys = [[partitionKey, ...(sortKey === undefined ? [] : [sortKey])], ...Object.values(indexes)];
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: schemaOf(keys[0] ?? []),
      AttributeDefinitions: [...new Set(keys.flat())].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      ...(Object.keys(indexes).length === 0
        ? {}
        : {
            GlobalSecondaryIndexes: Object.entries(indexes).map(([IndexName, attributes]) => ({
              IndexName,
              KeySchema: schemaOf(attributes),
              Projection: { ProjectionType: 'ALL' as const },
            })),
          }),
    }),
  );
  return name;
}

export interface TableOptions {
  readonly sortKey?: string;
  /** For each index: the partition key, and the sort key if it has one. */
  readonly indexes?: Readonly<Record<string, readonly string[]>>;
}

const schemaOf = (attributes: readonly string[]) =>
  attributes.map((AttributeName, index) => ({
    AttributeName,
    KeyType: index === 0 ? ('HASH' as const) : ('RANGE' as const),
  }));
