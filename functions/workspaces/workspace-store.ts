import { type DynamoDBDocumentClient, GetCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { conditionFailed } from '../aws/conditions.ts';
import { type TransactItem, transact } from '../aws/transact.ts';
import { InvalidRequest } from '../http/errors.ts';
import { WORKSPACES_BY_CREATION } from './table.ts';
import { newWorkspaceSchema, type Workspace } from './workspace.ts';
import { slugKey, WORKSPACE_LISTING, workspaceKey } from './workspace-rows.ts';

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
  /** Counts changes, so that one made in ignorance of another is refused. */
  version: v.number(),
  /** Keys that are neither disabled nor deleted; expired ones count. */
  live_keys: v.optional(v.number(), 0),
});
export type StoredWorkspace = Readonly<v.InferOutput<typeof storedWorkspaceSchema>>;

/**
 * Two rows a workspace: itself, and one whose key is its slug. The second one makes slugs unique under
 * any concurrency, because a transaction may create it only once.
 */
export class WorkspaceStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * @param alsoWrite what belongs to the same transaction
   * @throws SlugTaken when another workspace holds the slug
   */
  async create(workspace: Workspace, alsoWrite: readonly TransactItem[] = []): Promise<void> {
    const row = { ...workspace, version: 0, live_keys: 0 };
    await this.#write(workspace.slug, [
      { Put: { ...this.#row(row), ConditionExpression: 'attribute_not_exists(pk)' } },
      this.#takeSlug(workspace),
      ...alsoWrite,
    ]);
  }

  /**
   * Replaces what was read as `before`. False when somebody else has changed it since: read and try again.
   * @throws SlugTaken
   */
  async replace(before: StoredWorkspace, after: Workspace): Promise<boolean> {
    const row = {
      Put: {
        ...this.#row({ ...after, version: before.version + 1, live_keys: before.live_keys }),
        ConditionExpression: '#version = :read',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':read': before.version },
      },
    };
    const moved = before.slug !== after.slug;
    const oldSlug = { Delete: { TableName: this.#table, Key: { pk: slugKey(before.slug) } } };
    return this.#write(after.slug, moved ? [row, this.#takeSlug(after), oldSlug] : [row]);
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

  /** The first item is the workspace's row, the second, if there is one, its new slug's. */
  async #write(slug: string, items: TransactItem[]): Promise<boolean> {
    try {
      await transact(this.#client, items);
      return true;
    } catch (error) {
      if (conditionFailed(error, 1)) throw new SlugTaken(slug, error);
      if (conditionFailed(error, 0)) return false;
      throw error;
    }
  }

  #row(workspace: StoredWorkspace) {
    const Item = { pk: workspaceKey(workspace.id), listing: WORKSPACE_LISTING, ...workspace };
    return { TableName: this.#table, Item };
  }

  #takeSlug({ id, slug }: Workspace) {
    return {
      Put: {
        TableName: this.#table,
        Item: { pk: slugKey(slug), workspace_id: id },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    };
  }

  async findById(id: string): Promise<StoredWorkspace | undefined> {
    const item = await this.#get(workspaceKey(id));
    const isThere = item !== undefined && item.removed_at === undefined;
    return isThere ? v.parse(storedWorkspaceSchema, item) : undefined;
  }

  async findBySlug(slug: string): Promise<StoredWorkspace | undefined> {
    const item = await this.#get(slugKey(slug));
    if (item === undefined) return undefined;
    return this.findById(v.parse(v.object({ workspace_id: v.string() }), item).workspace_id);
  }

  async #get(pk: string): Promise<Record<string, unknown> | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { pk }, ConsistentRead: true }),
    );
    return Item;
  }
}
