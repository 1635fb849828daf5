import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { allShards, OVERDUE_INDEX } from './sparse-index.ts';

/** Rows whose next step is due since before `dueBefore` (milliseconds since the epoch), oldest first in each shard. */
export async function* findOverdue<const Schema extends v.GenericSchema>(
  client: DynamoDBDocumentClient,
  table: string,
  schema: Schema,
  dueBefore: number,
): AsyncGenerator<v.InferOutput<Schema>> {
  for (const shard of allShards()) {
    const pages = paginateQuery(
      { client },
      {
        TableName: table,
        IndexName: OVERDUE_INDEX,
        KeyConditionExpression: '#active = :shard AND #due_at < :due',
        ExpressionAttributeNames: { '#active': 'active', '#due_at': 'due_at' },
        ExpressionAttributeValues: { ':shard': shard, ':due': dueBefore },
      },
    );
    for await (const { Items = [] } of pages) for (const item of Items) yield v.parse(schema, item);
  }
}
