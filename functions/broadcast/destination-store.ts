import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
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

  async put(destination: StoredDestination): Promise<void> {
    await this.#client.send(new PutCommand({ TableName: this.#table, Item: destination }));
  }

  async remove(workspaceId: string): Promise<void> {
    await this.#client.send(
      new DeleteCommand({ TableName: this.#table, Key: { workspace_id: workspaceId } }),
    );
  }
}
