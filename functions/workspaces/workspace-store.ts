import { type DynamoDBDocumentClient, GetCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet, type RowToRead } from '../aws/batch-get.ts';
import { refusedBy } from '../aws/conditions.ts';
import { isOverload } from '../aws/overload.ts';
import { type NamedItems, type TransactItem, transact } from '../aws/transact.ts';
import { InvalidRequest } from '../http/errors.ts';
import type { ListStore } from '../lists/list-store.ts';
import { slugKey, WORKSPACE_LISTING, WORKSPACES_BY_CREATION, workspaceKey } from './table.ts';
import { newWorkspaceSchema, type Workspace } from './workspace.ts';
import { listing } from './workspace-list.ts';

export class SlugTaken extends InvalidRequest {
  constructor(slug: string, cause: unknown) {
    super(`slug: "${slug}" is taken; choose another`, { metadata: { path: 'slug' }, cause });
  }
}

const storedWorkspaceSchema = v.object({
  ...newWorkspaceSchema.entries,
  id: v.string(),
  default_guardrail_id: v.string(),
  include_byok_in_budgets: v.boolean(),
  created_by: v.string(),
  created_at: v.string(),
  updated_at: v.nullable(v.string()),
  /** Counts changes, so that a change based on an older version is refused. */
  version: v.number(),
  /** Keys that are neither disabled nor deleted; expired ones count. */
  live_keys: v.optional(v.number(), 0),
});
export type StoredWorkspace = Readonly<v.InferOutput<typeof storedWorkspaceSchema>>;

const stands = ({ removed_at }: Record<string, unknown>): boolean => removed_at === undefined;
const STANDS = 'attribute_exists(pk) AND attribute_not_exists(removed_at)';

/** Parses a workspace's row; undefined where it has been deleted. */
export const readWorkspace = (row: Readonly<Record<string, unknown>>): StoredWorkspace | undefined =>
  row.removed_at === undefined ? v.parse(storedWorkspaceSchema, row) : undefined;

/**
 * A workspace has two rows: itself, and one whose key is its slug. The second keeps slugs unique at any concurrency,
 * because a transaction can create it only once.
 */
export class WorkspaceStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * @param alsoWrite further items of the same transaction
   * @throws SlugTaken when another workspace has the slug
   */
  async create(
    workspace: Workspace,
    lists: Pick<ListStore, 'write'>,
    alsoWrite: NamedItems = {},
  ): Promise<void> {
    const row = { ...workspace, version: 0, live_keys: 0 };
    const items = {
      ...alsoWrite,
      workspace: { Put: { ...this.#row(row), ConditionExpression: 'attribute_not_exists(pk)' } },
      slug: this.#takeSlug(workspace),
    };
    await this.#refusing(workspace, () => lists.write(items, [listing(this, workspace)]));
  }

  /**
   * Replaces what was read as `before`. Returns false when somebody else has changed it since: read it and try again.
   * @param alsoWrite further items of the same transaction
   * @throws SlugTaken
   * @throws TransactionRefused when a condition of `alsoWrite` does not hold
   */
  async replace(before: StoredWorkspace, after: Workspace, alsoWrite: NamedItems = {}): Promise<boolean> {
    const workspace = {
      Put: {
        ...this.#row({ ...after, version: before.version + 1, live_keys: before.live_keys }),
        ConditionExpression: '#version = :read',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':read': before.version },
      },
    };
    if (before.slug === after.slug) return this.#write(after, { ...alsoWrite, workspace });
    const oldSlug = { Delete: { TableName: this.#table, Key: { pk: slugKey(before.slug) } } };
    return this.#write(after, { ...alsoWrite, workspace, slug: this.#takeSlug(after), oldSlug });
  }

  async *list(): AsyncGenerator<StoredWorkspace> {
    const pages = paginateQuery(
      { client: this.#client },
      {
        TableName: this.#table,
        IndexName: WORKSPACES_BY_CREATION,
        KeyConditionExpression: '#listing = :listing',
        ExpressionAttributeNames: { '#listing': 'listing' },
        ExpressionAttributeValues: { ':listing': WORKSPACE_LISTING },
      },
    );
    for await (const { Items = [] } of pages) {
      for (const item of Items) yield v.parse(storedWorkspaceSchema, item);
    }
  }

  #write(workspace: Workspace, items: NamedItems): Promise<boolean> {
    return this.#refusing(workspace, () => transact(this.#client, items));
  }

  async #refusing({ id, slug }: Workspace, write: () => Promise<void>): Promise<boolean> {
    try {
      await write();
      return true;
    } catch (error) {
      if (refusedBy(error, 'slug')) throw new SlugTaken(slug, error);
      if (refusedBy(error, 'workspace')) return false;
      // When many want one slug at once, a transaction may meet another one each time. Then the slug has been taken
      // meanwhile.
      const holder = isOverload(error) ? await this.#holderOf(slug) : undefined;
      if (holder !== undefined && holder !== id) throw new SlugTaken(slug, error);
      throw error;
    }
  }

  async #holderOf(slug: string): Promise<string | undefined> {
    const item = await this.#get(slugKey(slug));
    return item === undefined
      ? undefined
      : v.parse(v.object({ workspace_id: v.string() }), item).workspace_id;
  }

  #row(workspace: StoredWorkspace) {
    const Item = { pk: workspaceKey(workspace.id), listing: WORKSPACE_LISTING, ...workspace };
    return { TableName: this.#table, Item };
  }

  #takeSlug({ id, slug }: Workspace): TransactItem {
    return {
      Put: {
        TableName: this.#table,
        Item: { pk: slugKey(slug), workspace_id: id },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    };
  }

  /** Those workspaces with these ids that exist, at most 100, in no order. */
  async read(ids: readonly string[]): Promise<StoredWorkspace[]> {
    const keys = ids.map((id) => ({ pk: workspaceKey(id) }));
    const rows = await batchGet(this.#client, this.#table, keys);
    return v.parse(v.array(storedWorkspaceSchema), rows.filter(stands));
  }

  async findById(id: string): Promise<StoredWorkspace | undefined> {
    const item = await this.#get(workspaceKey(id));
    return item === undefined ? undefined : readWorkspace(item);
  }

  /** Reads one attribute only, so that nothing else in the row can fail to parse. */
  async wantsBroadcasts(id: string): Promise<boolean> {
    const item = await this.#get(workspaceKey(id));
    return item?.is_observability_broadcast_enabled === true && item.removed_at === undefined;
  }

  /** For a read together with other tables' rows. */
  row(id: string): RowToRead {
    return { table: this.#table, key: { pk: workspaceKey(id) } };
  }

  async findBySlug(slug: string): Promise<StoredWorkspace | undefined> {
    const holder = await this.#holderOf(slug);
    return holder === undefined ? undefined : this.findById(holder);
  }

  /**
   * Changes the count of keys that live in a workspace. Whoever is about to delete the workspace has read an older
   * version, and must look again.
   */
  countKeys(id: string, change: number): TransactItem {
    return {
      Update: {
        TableName: this.#table,
        Key: { pk: workspaceKey(id) },
        UpdateExpression:
          'SET #version = #version + :one, #live_keys = if_not_exists(#live_keys, :none) + :change',
        ConditionExpression: STANDS,
        ExpressionAttributeNames: { '#version': 'version', '#live_keys': 'live_keys' },
        ExpressionAttributeValues: { ':one': 1, ':none': 0, ':change': change },
      },
    };
  }

  /** Copies into the workspace what its account counts. */
  noteByokInBudgets(id: string, included: boolean): TransactItem {
    return {
      Update: {
        TableName: this.#table,
        Key: { pk: workspaceKey(id) },
        UpdateExpression: 'SET #version = #version + :one, include_byok_in_budgets = :included',
        ConditionExpression: STANDS,
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':one': 1, ':included': included },
      },
    };
  }

  /** For a transaction that must fail unless the workspace exists. */
  keepAlive(id: string): TransactItem {
    const Key = { pk: workspaceKey(id) };
    return { ConditionCheck: { TableName: this.#table, Key, ConditionExpression: STANDS } };
  }

  /** For a transaction that must fail if the workspace uses this guardrail. A deleted workspace uses none. */
  naming(id: string, { not }: { readonly not: string }): TransactItem {
    return {
      ConditionCheck: {
        TableName: this.#table,
        Key: { pk: workspaceKey(id) },
        ConditionExpression: 'attribute_not_exists(pk) OR default_guardrail_id <> :guardrail',
        ExpressionAttributeValues: { ':guardrail': not },
      },
    };
  }

  async #get(pk: string): Promise<Record<string, unknown> | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { pk }, ConsistentRead: true }),
    );
    return Item;
  }
}
