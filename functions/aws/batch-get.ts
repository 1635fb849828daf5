import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type BatchGetCommandOutput,
  type DynamoDBDocumentClient,
} from '@aws-sdk/lib-dynamodb';

type Row = Record<string, unknown>;

/** A row of a store's table, for `batchGetEach`. */
export interface RowToRead {
  readonly table: string;
  readonly key: Row;
}

/** One row of each of several tables as it is now, in one call. A row that is not there is undefined. */
export async function batchGetEach<const Name extends string>(
  client: DynamoDBDocumentClient,
  wanted: Readonly<Record<Name, RowToRead>>,
): Promise<Partial<Record<Name, Row>>> {
  const named = Object.entries<RowToRead>(wanted);
  const tables = new Set(named.map(([, { table }]) => table));
  if (tables.size < named.length) throw new Error('batchGetEach reads one row of a table');
  const rows = await batchGetAll(
    client,
    Object.fromEntries(named.map(([, { table, key }]) => [table, [key]])),
  );
  const found = named.flatMap(([name, { table }]) => (rows.get(table) ?? []).map((row) => [name, row]));
  return Object.fromEntries(found);
}

/** The rows of at most 100 keys as they are now, in no order; a key without a row has none. */
export async function batchGet(
  client: DynamoDBDocumentClient,
  table: string,
  keys: readonly Row[],
): Promise<Row[]> {
  if (keys.length === 0) return [];
  return (await batchGetAll(client, { [table]: keys })).get(table) ?? [];
}

/** DynamoDB leaves keys unread when the answer would be too large or the table is busy; they are asked for again. */
async function batchGetAll(
  client: DynamoDBDocumentClient,
  keys: Readonly<Record<string, readonly Row[]>>,
): Promise<Map<string, Row[]>> {
  const rows = new Map<string, Row[]>();
  let left: BatchGetCommandInput['RequestItems'] = Object.fromEntries(
    Object.entries(keys).map(([table, Keys]) => [table, { Keys: [...Keys], ConsistentRead: true }]),
  );
  while (left !== undefined && Object.keys(left).length > 0) {
    const { Responses = {}, UnprocessedKeys }: BatchGetCommandOutput = await client.send(
      new BatchGetCommand({ RequestItems: left }),
    );
    for (const [table, some] of Object.entries(Responses))
      rows.set(table, [...(rows.get(table) ?? []), ...some]);
    left = UnprocessedKeys;
  }
  return rows;
}
