import { DeleteCommand, type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { refusedBy, removeAll, type TransactItem, transact } from '../aws/dynamo-writes.ts';
import type { ContentOwner, SealedContent } from './sealed-content.ts';

const rowSchema = v.object({
  data_key: v.instance(Uint8Array),
  content: v.instance(Uint8Array),
  expires_at: v.number(),
});

/**
 * The logged content of generations, sealed. The partition is the workspace, so that all of its content is found
 * together.
 */
export class ContentStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * Only the first log of a generation is kept.
   * @param whileThere holds as long as there is something for the log to belong to
   * @returns false when that is gone
   */
  async add(
    owner: ContentOwner,
    sealed: SealedContent,
    expiresAt: Date,
    whileThere: TransactItem,
  ): Promise<boolean> {
    const Item = { ...owner, ...sealed, expires_at: Math.floor(expiresAt.getTime() / 1000) };
    const row = { TableName: this.#table, Item, ConditionExpression: 'attribute_not_exists(generation_id)' };
    try {
      await transact(this.#client, { log: { Put: row }, whileThere });
      return true;
    } catch (error) {
      if (refusedBy(error, 'whileThere')) return false;
      if (refusedBy(error, 'log')) return true;
      throw error;
    }
  }

  /** Undefined once its time is over, even if the table has not deleted it yet. */
  async find({ workspace_id, generation_id }: ContentOwner, now: Date): Promise<SealedContent | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({
        TableName: this.#table,
        Key: { workspace_id, generation_id },
        ConsistentRead: true,
      }),
    );
    if (Item === undefined) return undefined;
    const { expires_at, ...sealed } = v.parse(rowSchema, Item);
    return expires_at * 1000 > now.getTime() ? sealed : undefined;
  }

  async remove({ workspace_id, generation_id }: ContentOwner): Promise<void> {
    await this.#client.send(
      new DeleteCommand({ TableName: this.#table, Key: { workspace_id, generation_id } }),
    );
  }

  /** Removes the logs of a deleted workspace. */
  removeAll(workspaceId: string): AsyncGenerator<void> {
    return removeAll(this.#client, {
      TableName: this.#table,
      KeyConditionExpression: 'workspace_id = :workspace',
      ExpressionAttributeValues: { ':workspace': workspaceId },
      ProjectionExpression: 'workspace_id, generation_id',
    });
  }
}
