import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet, type RowToRead } from '../aws/dynamo-reads.ts';
import { type NamedItems, refusedBy, type TransactItem, transact } from '../aws/dynamo-writes.ts';
import { placeOf } from '../lists/blocks.ts';
import type { ListChange, Listed, ListStore } from '../lists/list-store.ts';
import { WORKSPACE_LISTING } from '../tables.ts';
import { readWorkspace, type StoredWorkspace, storedWorkspaceSchema, type Workspace } from './workspace.ts';
import { SlugRows, WorkspaceRows, workspaceKey } from './workspace-rows.ts';

const STANDS = 'attribute_exists(pk) AND attribute_not_exists(removed_at)';

/** Reads and writes workspaces, and makes the items by which other areas' transactions depend on one. */
export class WorkspaceStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #rows: WorkspaceRows;
  readonly #slugs: SlugRows;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
    this.#rows = new WorkspaceRows(client, table);
    this.#slugs = new SlugRows(client, table);
  }

  /**
   * Does nothing if there is a workspace with this id and another slug.
   * @param alsoWrite further items of the same transaction
   * @throws SlugTaken when a workspace has the slug, even the one with this id
   */
  async create(
    workspace: Workspace,
    lists: Pick<ListStore, 'write'>,
    alsoWrite: NamedItems = {},
  ): Promise<void> {
    const row = this.#row({ ...workspace, version: 0, live_keys: 0 });
    const items = {
      ...alsoWrite,
      workspace: { Put: { ...row, ConditionExpression: 'attribute_not_exists(pk)' } },
    };
    const write = (all: NamedItems) => lists.write(all, [listing(this, workspace)]);
    await holds(this.#slugs.take(workspace, items, write));
  }

  /**
   * Replaces what was read as `before`. Returns false when somebody else has changed it since: read it and try again.
   * @param alsoWrite further items of the same transaction
   * @throws SlugTaken
   * @throws TransactionRefused when a condition of `alsoWrite` does not hold
   */
  replace(before: StoredWorkspace, after: Workspace, alsoWrite: NamedItems = {}): Promise<boolean> {
    const workspace = {
      Put: {
        ...this.#row({ ...after, version: before.version + 1, live_keys: before.live_keys }),
        ConditionExpression: '#version = :read',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':read': before.version },
      },
    };
    const items = { ...alsoWrite, workspace };
    const write = (all: NamedItems) => transact(this.#client, all);
    if (before.slug === after.slug) return holds(write(items));
    const oldSlug = this.#slugs.deletion(before.slug);
    return holds(this.#slugs.take(after, { ...items, oldSlug }, write));
  }

  #row(workspace: StoredWorkspace) {
    const Item = { pk: workspaceKey(workspace.id), listing: WORKSPACE_LISTING, ...workspace };
    return { TableName: this.#table, Item };
  }

  async *list(): AsyncGenerator<StoredWorkspace> {
    for await (const row of this.#rows.list(WORKSPACE_LISTING)) {
      yield v.parse(storedWorkspaceSchema, row);
    }
  }

  /** Those workspaces with these ids that exist, at most 100, in no order. */
  async read(ids: readonly string[]): Promise<StoredWorkspace[]> {
    const keys = ids.map((id) => ({ pk: workspaceKey(id) }));
    const rows = await batchGet(this.#client, this.#table, keys);
    return rows.map(readWorkspace).filter((workspace) => workspace !== undefined);
  }

  async findById(id: string): Promise<StoredWorkspace | undefined> {
    const row = await this.#rows.find(workspaceKey(id));
    return row === undefined ? undefined : readWorkspace(row);
  }

  async findBySlug(slug: string): Promise<StoredWorkspace | undefined> {
    const holder = await this.#slugs.holderOf(slug);
    return holder === undefined ? undefined : this.findById(holder);
  }

  /** Reads one attribute only, so that nothing else in the row can fail to parse. */
  async wantsBroadcasts(id: string): Promise<boolean> {
    const row = await this.#rows.find(workspaceKey(id));
    return row?.is_observability_broadcast_enabled === true && row.removed_at === undefined;
  }

  /** For a read together with other tables' rows. */
  row(id: string): RowToRead {
    return { table: this.#table, key: { pk: workspaceKey(id) } };
  }

  /**
   * Changes the count of keys that live in a workspace. Whoever is about to delete the workspace has read an older
   * version, and must look again.
   */
  countKeys(id: string, change: number): TransactItem {
    const set = 'live_keys = if_not_exists(live_keys, :none) + :change';
    return this.#change(id, set, { ':none': 0, ':change': change });
  }

  /** Copies into the workspace what its account counts. */
  noteByokInBudgets(id: string, included: boolean, now: Date): TransactItem {
    const set = 'include_byok_in_budgets = :included, updated_at = :now';
    return this.#change(id, set, { ':included': included, ':now': now.toISOString() });
  }

  #change(id: string, set: string, values: Readonly<Record<string, unknown>>): TransactItem {
    return {
      Update: {
        TableName: this.#table,
        Key: { pk: workspaceKey(id) },
        UpdateExpression: `SET #version = #version + :one, ${set}`,
        ConditionExpression: STANDS,
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':one': 1, ...values },
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
}

/** Whether the condition about the workspace itself held, and everything was written. */
async function holds(transaction: Promise<void>): Promise<boolean> {
  try {
    await transaction;
    return true;
  } catch (error) {
    if (refusedBy(error, 'workspace')) return false;
    throw error;
  }
}

/** All entries are of one kind. */
const KIND = 'workspace';

type Rows = Pick<WorkspaceStore, 'list' | 'read'>;

/** All workspaces, oldest first. */
export const workspaceList = (workspaces: Rows): Listed<StoredWorkspace> => ({
  list: 'workspaces',
  all: () => workspaces.list(),
  read: (ids) => workspaces.read(ids),
  idOf: ({ id }) => id,
  entryOf: (workspace) => ({ place: placeIn(workspace), kind: KIND }),
});

type ListedWorkspace = Pick<Workspace, 'id' | 'created_at'>;

const placeIn = ({ id, created_at }: ListedWorkspace) => placeOf(created_at, id);

export const listing = (workspaces: Rows, workspace: ListedWorkspace): ListChange => ({
  listed: workspaceList(workspaces),
  place: placeIn(workspace),
  kind: KIND,
});

export const unlisting = (workspaces: Rows, workspace: ListedWorkspace): ListChange => ({
  ...listing(workspaces, workspace),
  kind: undefined,
});
