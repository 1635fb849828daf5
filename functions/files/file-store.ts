import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type StoredFile, storedFileSchema } from './file.ts';

/** The workspace is the partition key: a foreign file's id is not found, by construction. */
export class FileStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async create(file: StoredFile): Promise<void> {
    await this.#client.send(
      new PutCommand({
        TableName: this.#table,
        Item: file,
        ConditionExpression: 'attribute_not_exists(id)',
      }),
    );
  }

  async find(workspaceId: string, id: string): Promise<StoredFile | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({
        TableName: this.#table,
        Key: { workspace_id: workspaceId, id },
        ConsistentRead: true,
      }),
    );
    return Item === undefined ? undefined : v.parse(storedFileSchema, Item);
  }
}
