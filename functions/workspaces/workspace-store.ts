import { type DynamoDBDocumentClient, GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { conditionFailed } from '../aws/conditions.ts';
import { InvalidRequest } from '../http/errors.ts';
import { newWorkspaceSchema, type Workspace } from './workspace.ts';

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
});

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

  /** @throws SlugTaken when another workspace holds the slug. */
  async create(workspace: Workspace): Promise<void> {
    const put = (item: Record<string, unknown>) => ({
      Put: {
        TableName: this.#table,
        Item: item,
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    });
    try {
      await this.#client.send(
        new TransactWriteCommand({
          TransactItems: [
            put({ pk: workspaceKey(workspace.id), listing: 'workspace', ...workspace }),
            put({ pk: slugKey(workspace.slug), workspace_id: workspace.id }),
          ],
        }),
      );
    } catch (error) {
      if (conditionFailed(error)) throw new SlugTaken(workspace.slug, error);
      throw error;
    }
  }

  async findById(id: string): Promise<Workspace | undefined> {
    const item = await this.#get(workspaceKey(id));
    return item === undefined ? undefined : v.parse(storedWorkspaceSchema, item);
  }

  async findBySlug(slug: string): Promise<Workspace | undefined> {
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

const workspaceKey = (id: string) => `WORKSPACE#${id}`;
const slugKey = (slug: string) => `SLUG#${slug}`;
