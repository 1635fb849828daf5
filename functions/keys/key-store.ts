import { type DynamoDBDocumentClient, GetCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet, type RowToRead } from '../aws/dynamo-reads.ts';
import { conditionFailed, setExpression, type TransactItem } from '../aws/dynamo-writes.ts';
import { defined } from '../defined.ts';
import { OPERATION_GROUPS, UNLIMITED } from '../http/scope.ts';
import { placeOf } from '../lists/blocks.ts';
import type { ListChange, Listed } from '../lists/list-store.ts';
import { type CHANGEABLE_OF_KEYS, KEYS_BY_CREATION, KEYS_BY_WORKSPACE } from '../tables.ts';

const perMinute = v.exactOptional(v.number());
const rateLimitsSchema = v.object({
  upload: perMinute,
  submit: perMinute,
  read: perMinute,
  admin: perMinute,
});

const limitedTo = <const Each extends v.GenericSchema>(each: Each) =>
  v.optional(v.nullable(v.pipe(v.array(each), v.readonly())), null);
export const scopeSchema = v.object({
  workspaces: limitedTo(v.string()),
  operations: limitedTo(v.picklist(OPERATION_GROUPS)),
  networks: limitedTo(v.string()),
});

/** A key's row. The key itself is stored nowhere. */
export const storedKeySchema = v.object({
  hash: v.string(),
  kind: v.picklist(['normal', 'management']),
  name: v.string(),
  label: v.string(),
  workspace_id: v.string(),
  creator_user_id: v.nullable(v.string()),
  /** Of a management key that another has made: the first key of its line. Rows of older versions have none. */
  line: v.exactOptional(v.string()),
  external_user: v.nullable(v.string()),
  external: v.exactOptional(v.object({ user: v.string(), api_key: v.nullable(v.string()) })),
  /** Requests a minute, for the classes in which the key has a rate of its own. */
  rate_limits: v.optional(rateLimitsSchema, {}),
  /** The guardrail of its submits; null: the one that its workspace names. */
  guardrail_id: v.optional(v.nullable(v.string()), null),
  /** When it was last given a guardrail, or none, by a change. */
  guardrail_since: v.exactOptional(v.string()),
  /** What it is limited to. Rows of older versions have none. It never changes, so no key can be widened. */
  scope: v.optional(scopeSchema, UNLIMITED),
  disabled: v.boolean(),
  expires_at: v.nullable(v.string()),
  created_at: v.string(),
  updated_at: v.nullable(v.string()),
  /** Exact to the minute. */
  last_used_at: v.nullable(v.string()),
});
export type StoredKey = v.InferOutput<typeof storedKeySchema>;

export type KeyChange = Partial<Pick<StoredKey, (typeof CHANGEABLE_OF_KEYS)[number]>>;

export interface KeyReader {
  find(hash: string): Promise<StoredKey | undefined>;
}

/** Every key has this attribute, so that one index lists them all, oldest first. */
const KEY_LISTING = 'key';

/** Reads keys, and makes the writes by which `KeyLives` begins, changes and ends them. */
export class KeyStore implements KeyReader {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** A consistent read: a key works from the moment it is made or enabled. */
  async find(hash: string): Promise<StoredKey | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { hash }, ConsistentRead: true }),
    );
    return Item === undefined ? undefined : v.parse(storedKeySchema, Item);
  }

  /** The keys with these hashes, at most 100, as they are now, in no order. */
  async read(hashes: readonly string[]): Promise<StoredKey[]> {
    const keys = hashes.map((hash) => ({ hash }));
    return v.parse(v.array(storedKeySchema), await batchGet(this.#client, this.#table, keys));
  }

  /** For a read together with other tables' rows. */
  row(hash: string): RowToRead {
    return { table: this.#table, key: { hash } };
  }

  /** Sets `last_used_at`, unless the key is gone or a later use has been noted already. */
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

  /**
   * Oldest first.
   * @param pageSize how many are likely to be needed, read at once
   */
  async *list(filter: KeyFilter = {}, pageSize?: number): AsyncGenerator<StoredKey> {
    const pages = paginateQuery(
      { client: this.#client, ...defined({ pageSize }) },
      { TableName: this.#table, ...queryOf(filter) },
    );
    for await (const page of pages) for (const item of page.Items ?? []) yield v.parse(storedKeySchema, item);
  }

  insertion(key: StoredKey): TransactItem {
    return {
      Put: {
        TableName: this.#table,
        Item: { ...key, listing: KEY_LISTING, listed_as: placeIn(key) },
        ConditionExpression: 'attribute_not_exists(#hash)',
        ExpressionAttributeNames: { '#hash': 'hash' },
      },
    };
  }

  /** @param before the key as it was read, if the change depends on it */
  change(hash: string, change: KeyChange, before: StoredKey | undefined, now: Date): TransactItem {
    const at = now.toISOString();
    const since = change.guardrail_id === undefined ? {} : { guardrail_since: at };
    const { set, names, values } = setExpression({ ...change, ...since, updated_at: at });
    const condition = before === undefined ? IS_THERE : asRead(before);
    return {
      Update: {
        TableName: this.#table,
        Key: { hash },
        UpdateExpression: set,
        ConditionExpression: condition.ConditionExpression,
        ExpressionAttributeNames: { ...names, ...condition.ExpressionAttributeNames },
        ExpressionAttributeValues: { ...values, ...condition.ExpressionAttributeValues },
      },
    };
  }

  deletion(key: StoredKey): TransactItem {
    return { Delete: { TableName: this.#table, Key: { hash: key.hash }, ...asRead(key) } };
  }

  /** For a transaction that must fail unless the key is alive. */
  keepAlive(hash: string, now: Date): TransactItem {
    return {
      ConditionCheck: {
        TableName: this.#table,
        Key: { hash },
        ConditionExpression: '#disabled = :no AND NOT #expires_at <= :now',
        ExpressionAttributeNames: { '#disabled': 'disabled', '#expires_at': 'expires_at' },
        ExpressionAttributeValues: { ':no': false, ':now': now.toISOString() },
      },
    };
  }
}

const IS_THERE = {
  ConditionExpression: 'attribute_exists(#hash)',
  ExpressionAttributeNames: { '#hash': 'hash' },
  ExpressionAttributeValues: {},
};

/**
 * Holds if the key has been neither enabled, disabled nor moved since it was read, and still names the guardrail that it
 * named. An index may show a key in the workspace that it has left, which may be deleted with all of its keys.
 */
function asRead({ disabled, workspace_id, guardrail_id }: StoredKey) {
  const read = { disabled, workspace_id, ...(guardrail_id !== null && { guardrail_id }) };
  const names = Object.keys(read);
  return {
    ConditionExpression: names.map((name) => `#${name} = :${name}`).join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(
      Object.entries(read).map(([name, value]) => [`:${name}`, value]),
    ),
  };
}

export interface KeyFilter {
  readonly workspaceId?: string | undefined;
  /** Leaves disabled keys out. */
  readonly enabled?: boolean;
}

function queryOf({ workspaceId, enabled = false }: KeyFilter) {
  const [IndexName, name, value] =
    workspaceId === undefined
      ? [KEYS_BY_CREATION, 'listing', KEY_LISTING]
      : [KEYS_BY_WORKSPACE, 'workspace_id', workspaceId];
  return {
    IndexName,
    KeyConditionExpression: '#partition = :partition',
    ...(enabled ? { FilterExpression: '#disabled = :no' } : {}),
    ExpressionAttributeNames: { '#partition': name, ...(enabled ? { '#disabled': 'disabled' } : {}) },
    ExpressionAttributeValues: { ':partition': value, ...(enabled ? { ':no': false } : {}) },
  };
}

export const ENABLED = 'enabled';
const DISABLED = 'disabled';

type Rows = Pick<KeyStore, 'list' | 'read'>;

/** All keys, or those of a workspace, oldest first. */
export const keyList = (keys: Rows, workspaceId?: string): Listed<StoredKey> => ({
  list: workspaceId === undefined ? 'keys' : `keys/${workspaceId}`,
  all: () => keys.list({ workspaceId }),
  read: (hashes) => keys.read(hashes),
  idOf: ({ hash }) => hash,
  entryOf: (key) => ({ place: placeIn(key), kind: kindOf(key) }),
});

export const placeIn = ({ created_at, hash }: Pick<StoredKey, 'created_at' | 'hash'>) =>
  placeOf(created_at, hash);

const kindOf = ({ disabled }: Pick<StoredKey, 'disabled'>) => (disabled ? DISABLED : ENABLED);

/** The changes of a key's lists; without `after` the key leaves them. */
export function listings(
  keys: Rows,
  key: StoredKey,
  after: Pick<StoredKey, 'disabled' | 'workspace_id'> | undefined,
): ListChange[] {
  const place = placeIn(key);
  const kind = after && kindOf(after);
  const moves = after !== undefined && after.workspace_id !== key.workspace_id;
  return [
    { listed: keyList(keys), place, kind },
    { listed: keyList(keys, key.workspace_id), place, kind: moves ? undefined : kind },
    ...(moves ? [{ listed: keyList(keys, after.workspace_id), place, kind }] : []),
  ];
}
