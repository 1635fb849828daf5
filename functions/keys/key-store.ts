import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  paginateQuery,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { conditionFailed } from '../aws/conditions.ts';
import { type TransactItem, transact } from '../aws/transact.ts';
import { type CHANGEABLE, KEYS_BY_CREATION } from './table.ts';

const perMinute = v.exactOptional(v.number());
const rateLimitsSchema = v.object({
  upload: perMinute,
  submit: perMinute,
  read: perMinute,
  admin: perMinute,
});

/** A key as it is kept: everything but the key itself, which nothing stores. */
export const storedKeySchema = v.object({
  hash: v.string(),
  kind: v.picklist(['normal', 'management']),
  name: v.string(),
  label: v.string(),
  workspace_id: v.string(),
  creator_user_id: v.nullable(v.string()),
  external_user: v.nullable(v.string()),
  /** Requests a minute where the key has a rate of its own. */
  rate_limits: v.optional(rateLimitsSchema, {}),
  disabled: v.boolean(),
  expires_at: v.nullable(v.string()),
  created_at: v.string(),
  updated_at: v.nullable(v.string()),
  /** To the minute. */
  last_used_at: v.nullable(v.string()),
});
export type StoredKey = v.InferOutput<typeof storedKeySchema>;

export type KeyChange = Partial<Pick<StoredKey, (typeof CHANGEABLE)[number]>>;

/** There is no such key, or no longer. */
export class KeyMissing extends Error {
  override readonly name = 'KeyMissing';
}

export interface KeyReader {
  find(hash: string): Promise<StoredKey | undefined>;
}

/** Every key carries this, so that one index lists them all, oldest first. */
const LISTING = 'key';

export class KeyStore implements KeyReader {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** As it is now, for those who have just changed it. */
  async read(hash: string): Promise<StoredKey | undefined> {
    return this.#get(hash, true);
  }

  /** Eventually consistent: a key just created may answer 401 for a moment, never the reverse of a disabled one for long. */
  async find(hash: string): Promise<StoredKey | undefined> {
    return this.#get(hash, false);
  }

  async #get(hash: string, isConsistent: boolean): Promise<StoredKey | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { hash }, ConsistentRead: isConsistent }),
    );
    return Item === undefined ? undefined : v.parse(storedKeySchema, Item);
  }

  /** @param alsoWrite what belongs to the same transaction: the key's limits */
  async create(key: StoredKey, alsoWrite: readonly TransactItem[] = []): Promise<void> {
    const row = {
      TableName: this.#table,
      Item: { ...key, listing: LISTING, listed_as: `${key.created_at} ${key.hash}` },
      ConditionExpression: 'attribute_not_exists(#hash)',
      ExpressionAttributeNames: { '#hash': 'hash' },
    };
    await transact(this.#client, [{ Put: row }, ...alsoWrite]);
  }

  /**
   * Changes a key, if there is one.
   * @throws KeyMissing
   * @throws TransactionCanceledException when a condition of `alsoWrite` does not hold
   */
  async update(
    hash: string,
    change: KeyChange,
    now: Date,
    alsoWrite: readonly TransactItem[] = [],
  ): Promise<void> {
    const entries = Object.entries({ ...change, updated_at: now.toISOString() });
    const row = {
      TableName: this.#table,
      Key: { hash },
      UpdateExpression: `SET ${entries.map((_, i) => `#change${i} = :change${i}`).join(', ')}`,
      ConditionExpression: 'attribute_exists(#hash)',
      ExpressionAttributeNames: {
        '#hash': 'hash',
        ...Object.fromEntries(entries.map(([name], i) => [`#change${i}`, name])),
      },
      ExpressionAttributeValues: Object.fromEntries(entries.map(([, value], i) => [`:change${i}`, value])),
    };
    try {
      await transact(this.#client, [{ Update: row }, ...alsoWrite]);
    } catch (cause) {
      if (conditionFailed(cause, 0)) throw new KeyMissing(hash, { cause });
      throw cause;
    }
  }

  /** Sets `last_used_at`, unless the key is gone or a later use than that one has been noted already. */
  async noteUse(hash: string, at: Date, unlessAfter: Date): Promise<void> {
    try {
      await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: { hash },
          UpdateExpression: 'SET last_used_at = :at',
          ConditionExpression: 'attribute_exists(#hash) AND NOT last_used_at > :unlessAfter',
          ExpressionAttributeNames: { '#hash': 'hash' },
          ExpressionAttributeValues: { ':at': at.toISOString(), ':unlessAfter': unlessAfter.toISOString() },
        }),
      );
    } catch (error) {
      if (!conditionFailed(error)) throw error;
    }
  }

  /** Whether there was one. */
  async remove(hash: string): Promise<boolean> {
    const { Attributes } = await this.#client.send(
      new DeleteCommand({ TableName: this.#table, Key: { hash }, ReturnValues: 'ALL_OLD' }),
    );
    return Attributes !== undefined;
  }

  async *list(): AsyncGenerator<StoredKey> {
    const pages = paginateQuery(
      { client: this.#client },
      {
        TableName: this.#table,
        IndexName: KEYS_BY_CREATION,
        KeyConditionExpression: '#listing = :listing',
        ExpressionAttributeNames: { '#listing': 'listing' },
        ExpressionAttributeValues: { ':listing': LISTING },
      },
    );
    for await (const page of pages) for (const item of page.Items ?? []) yield v.parse(storedKeySchema, item);
  }
}
