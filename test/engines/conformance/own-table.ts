import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';

interface TableOptions {
  readonly sortKey?: string;
  /** For each index: the partition key, and the sort key if it has one. */
  readonly indexes?: Readonly<Record<string, readonly string[]>>;
  /** The attributes in an index besides its keys. @default all */
  readonly projected?: Readonly<Record<string, string[]>>;
}

/** Creates an empty table for a test, in which `due_at` is a number and all other keys are texts. */
export async function createTable(
  client: { send(command: CreateTableCommand): Promise<unknown> },
  partitionKey: string,
  { sortKey, indexes = {}, projected = {} }: TableOptions = {},
): Promise<string> {
  const TableName = `own-${crypto.randomUUID()}`;
  const key = sortKey === undefined ? [partitionKey] : [partitionKey, sortKey];
  const names = new Set([key, ...Object.values(indexes)].flat());
  const GlobalSecondaryIndexes = Object.entries(indexes).map(([IndexName, attributes]) => {
    const NonKeyAttributes = projected[IndexName];
    return {
      IndexName,
      KeySchema: schemaOf(attributes),
      Projection:
        NonKeyAttributes === undefined
          ? { ProjectionType: 'ALL' as const }
          : { ProjectionType: 'INCLUDE' as const, NonKeyAttributes },
    };
  });
  const command = new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: schemaOf(key),
    AttributeDefinitions: [...names].map((AttributeName) => ({
      AttributeName,
      AttributeType: AttributeName === 'due_at' ? 'N' : 'S',
    })),
    ...(GlobalSecondaryIndexes.length === 0 ? {} : { GlobalSecondaryIndexes }),
  });
  await client.send(command);
  return TableName;
}

const schemaOf = (attributes: readonly string[]) =>
  attributes.map((AttributeName, index) => ({
    AttributeName,
    KeyType: index === 0 ? ('HASH' as const) : ('RANGE' as const),
  }));

/** A table with the keys `pk` and `sk` and with both kinds of index that Genway uses. */
export const ownTable = (client: DynamoDBClient): Promise<string> =>
  createTable(client, 'pk', {
    sortKey: 'sk',
    indexes: { 'by-sk': ['sk', 'pk'], overdue: ['active', 'due_at'] },
    projected: { overdue: ['seq'] },
  });

/** The key of a new row. */
export const newKey = () => ({ pk: crypto.randomUUID(), sk: 'a' });
