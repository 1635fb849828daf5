import { type DynamoDBDocumentClient, GetCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet } from '../aws/dynamo-reads.ts';
import { conditionFailed, refusedBy, setExpression } from '../aws/dynamo-writes.ts';
import { placeOf } from '../lists/blocks.ts';
import type { ListChange, Listed, ListStore } from '../lists/list-store.ts';
import { PROVIDER_KEYS_BY_WORKSPACE } from '../tables.ts';
import { type ProviderKeyChange, type StoredProviderKey, storedProviderKeySchema } from './provider-key.ts';

const indexedSchema = v.array(v.object({ id: v.string() }));
const KEYS_A_READ = 100;

export class ProviderKeyStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async create(key: StoredProviderKey, lists: Pick<ListStore, 'write'>): Promise<void> {
    const Put = { TableName: this.#table, Item: key, ConditionExpression: 'attribute_not_exists(id)' };
    await lists.write({ key: { Put } }, [listing(this, key)]);
  }

  /** The keys with these ids, at most 100, as they are now, in no order. */
  async read(ids: readonly string[]): Promise<StoredProviderKey[]> {
    const keys = ids.map((id) => ({ id }));
    return v.parse(v.array(storedProviderKeySchema), await batchGet(this.#client, this.#table, keys));
  }

  async find(id: string): Promise<StoredProviderKey | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { id }, ConsistentRead: true }),
    );
    return Item === undefined ? undefined : v.parse(storedProviderKeySchema, Item);
  }

  /**
   * Oldest first. The index only tells which keys to read, because nobody may use a key that was changed or deleted
   * since. A key just stored may be missing for a moment.
   */
  async *list(workspaceId: string): AsyncGenerator<StoredProviderKey> {
    const pages = paginateQuery(
      { client: this.#client, pageSize: KEYS_A_READ },
      {
        TableName: this.#table,
        IndexName: PROVIDER_KEYS_BY_WORKSPACE,
        KeyConditionExpression: 'workspace_id = :workspace',
        ExpressionAttributeValues: { ':workspace': workspaceId },
      },
    );
    for await (const { Items = [] } of pages) {
      const ids = v.parse(indexedSchema, Items).map(({ id }) => id);
      const keys = await this.read(ids);
      for (const id of ids) yield* keys.filter((key) => key.id === id);
    }
  }

  /** The key after the change; undefined when there is none. */
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

  /** Returns whether there was one. */
  async remove(id: string, lists: Pick<ListStore, 'write'>): Promise<boolean> {
    const key = await this.find(id);
    if (key === undefined) return false;
    const Delete = { TableName: this.#table, Key: { id }, ConditionExpression: 'attribute_exists(id)' };
    try {
      await lists.write({ key: { Delete } }, [unlisting(this, key)]);
      return true;
    } catch (error) {
      if (refusedBy(error, 'key')) return false;
      throw error;
    }
  }
}

type Rows = Pick<ProviderKeyStore, 'list' | 'read'>;

/** The keys of a workspace, oldest first. The kind of an entry is its provider. */
export const providerKeyList = (keys: Rows, workspaceId: string): Listed<StoredProviderKey> => ({
  list: `provider-keys/${workspaceId}`,
  all: () => keys.list(workspaceId),
  read: (ids) => keys.read(ids),
  idOf: ({ id }) => id,
  entryOf: (key) => ({ place: placeIn(key), kind: key.provider }),
});

const placeIn = ({ created_at, id }: StoredProviderKey) => placeOf(created_at, id);

const listing = (keys: Rows, key: StoredProviderKey): ListChange => ({
  listed: providerKeyList(keys, key.workspace_id),
  place: placeIn(key),
  kind: key.provider,
});

const unlisting = (keys: Rows, key: StoredProviderKey): ListChange => ({
  ...listing(keys, key),
  kind: undefined,
});
