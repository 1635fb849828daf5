import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { conditionFailed } from '../aws/conditions.ts';
import { setExpression } from '../aws/set-expression.ts';
import { type ProviderKeyChange, type StoredProviderKey, storedProviderKeySchema } from './provider-key.ts';
import { PROVIDER_KEYS_BY_WORKSPACE } from './table.ts';

export class ProviderKeyStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async create(key: StoredProviderKey): Promise<void> {
    await this.#client.send(
      new PutCommand({ TableName: this.#table, Item: key, ConditionExpression: 'attribute_not_exists(id)' }),
    );
  }

  async find(id: string): Promise<StoredProviderKey | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { id }, ConsistentRead: true }),
    );
    return Item === undefined ? undefined : v.parse(storedProviderKeySchema, Item);
  }

  /** Oldest first. Eventually consistent: a key just stored may be missing for a moment. */
  async *list(workspaceId: string): AsyncGenerator<StoredProviderKey> {
    const pages = paginateQuery(
      { client: this.#client },
      {
        TableName: this.#table,
        IndexName: PROVIDER_KEYS_BY_WORKSPACE,
        KeyConditionExpression: 'workspace_id = :workspace',
        ExpressionAttributeValues: { ':workspace': workspaceId },
      },
    );
    for await (const { Items = [] } of pages) {
      for (const item of Items) yield v.parse(storedProviderKeySchema, item);
    }
  }

  /** The key as it is after the change; undefined when there is none. */
  async update(id: string, change: ProviderKeyChange, now: Date): Promise<StoredProviderKey | undefined> {
    const { set, names, values } = setExpression({ ...change, updated_at: now.toISOString() });
    try {
      const { Attributes } = await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: { id },
          UpdateExpression: set,
          ConditionExpression: 'attribute_exists(id)',
          ExpressionAttributeNames: names,
          ExpressionAttributeValues: values,
          ReturnValues: 'ALL_NEW',
        }),
      );
      return v.parse(storedProviderKeySchema, Attributes);
    } catch (error) {
      if (conditionFailed(error)) return undefined;
      throw error;
    }
  }

  /** Whether there was one. */
  async remove(id: string): Promise<boolean> {
    const { Attributes } = await this.#client.send(
      new DeleteCommand({ TableName: this.#table, Key: { id }, ReturnValues: 'ALL_OLD' }),
    );
    return Attributes !== undefined;
  }
}
