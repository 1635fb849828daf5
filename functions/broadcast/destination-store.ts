import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { conditionFailed } from '../aws/dynamo-writes.ts';
import { type StoredDestination, storedDestinationSchema } from './destination.ts';

/** A workspace has one destination, or none. */
export class DestinationStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async find(workspaceId: string): Promise<StoredDestination | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { workspace_id: workspaceId }, ConsistentRead: true }),
    );
    return Item === undefined ? undefined : v.parse(storedDestinationSchema, Item);
  }

  /** Returns whether the destination was still as `before`: undefined where there was none. */
  async replace(before: StoredDestination | undefined, after: StoredDestination): Promise<boolean> {
    const condition =
      before === undefined
        ? { ConditionExpression: 'attribute_not_exists(workspace_id)' }
        : {
            ConditionExpression: 'updated_at = :before',
            ExpressionAttributeValues: { ':before': before.updated_at },
          };
    try {
      await this.#client.send(new PutCommand({ TableName: this.#table, Item: after, ...condition }));
      return true;
    } catch (error) {
      if (conditionFailed(error)) return false;
      throw error;
    }
  }

  async remove(workspaceId: string): Promise<void> {
    await this.#client.send(
      new DeleteCommand({ TableName: this.#table, Key: { workspace_id: workspaceId } }),
    );
  }
}
