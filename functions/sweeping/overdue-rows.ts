import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { OVERDUE_INDEX } from './sparse-index.ts';

/** The rows of a table that have a next step, by when it is due. */
export class OverdueRows {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** The oldest first, a few at a time. A row that is put off meanwhile is not met again. */
  async *inShard(
    shard: string,
    dueBefore: number,
    atOnce: number,
  ): AsyncGenerator<Record<string, unknown>[]> {
    const pages = paginateQuery(
      { client: this.#client, pageSize: 20 * atOnce },
      {
        TableName: this.#table,
        IndexName: OVERDUE_INDEX,
        KeyConditionExpression: '#active = :shard AND #due_at < :due',
        ExpressionAttributeNames: { '#active': 'active', '#due_at': 'due_at' },
        ExpressionAttributeValues: { ':shard': shard, ':due': dueBefore },
      },
    );
    for await (const { Items = [] } of pages) {
      for (let i = 0; i < Items.length; i += atOnce) yield Items.slice(i, i + atOnce);
    }
  }
}
