import { BatchWriteCommand, type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';

/** The limit of one batch write. */
const MOST_WRITES = 25;

/** A query that projects nothing but keys. */
type KeysQuery = Readonly<Record<'TableName' | 'KeyConditionExpression' | 'ProjectionExpression', string>> & {
  readonly ExpressionAttributeValues: Readonly<Record<string, unknown>>;
};

/** Deletes the rows that a query finds, as many as one call takes. False when there were none. */
export async function removeSome(client: DynamoDBDocumentClient, query: KeysQuery): Promise<boolean> {
  const { Items = [] } = await client.send(
    new QueryCommand({ ...query, ConsistentRead: true, Limit: MOST_WRITES }),
  );
  if (Items.length === 0) return false;
  const deletions = Items.map((Key) => ({ DeleteRequest: { Key } }));
  await client.send(new BatchWriteCommand({ RequestItems: { [query.TableName]: deletions } }));
  return true;
}
