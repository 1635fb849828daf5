import {
  BatchGetCommand,
  type BatchGetCommandOutput,
  type DynamoDBDocumentClient,
} from '@aws-sdk/lib-dynamodb';

type Row = Record<string, unknown>;

/** The rows of at most 100 keys as they are now, in no order; a key without a row has none. */
export async function batchGet(
  client: DynamoDBDocumentClient,
  table: string,
  keys: readonly Row[],
): Promise<Row[]> {
  const rows: Row[] = [];
  let left: Row[] | undefined = [...keys];
  while (left !== undefined && left.length > 0) {
    const { Responses, UnprocessedKeys }: BatchGetCommandOutput = await client.send(
      new BatchGetCommand({ RequestItems: { [table]: { Keys: left, ConsistentRead: true } } }),
    );
    rows.push(...(Responses?.[table] ?? []));
    left = UnprocessedKeys?.[table]?.Keys;
  }
  return rows;
}
