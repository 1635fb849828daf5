import { DeleteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { readableRows, type TellUnreadable } from '../aws/dynamo-reads.ts';
import { type NamedItems, refusedBy, transact, updateWhere } from '../aws/dynamo-writes.ts';
import { REMOVAL_LISTING } from '../tables.ts';
import type { StoredWorkspace } from './workspace.ts';
import { SlugRows, WorkspaceRows, workspaceKey } from './workspace-rows.ts';

/** What remains of a deleted workspace's row until all that it held is gone too. */
const removalSchema = v.object({
  id: v.string(),
  slug: v.string(),
  removed_at: v.string(),
  /** Its slug is free: the deletion has been answered, or is about to be. */
  slug_freed: v.optional(v.boolean(), false),
  /** The last of its jobs, in the order of their ids, up to which all are stripped. */
  stripped_until: v.exactOptional(v.string()),
  /** When all that was found was gone; absent before, and in rows of older versions. */
  emptied_at: v.exactOptional(v.string()),
});
export type Removal = Readonly<v.InferOutput<typeof removalSchema>>;

/** Workspaces that have been deleted and of which something may be left. */
export class RemovalStore {
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
   * From this write on the workspace exists for nobody. Returns false when it has changed since it was read.
   * @param alsoWrite further items of the same transaction
   * @param write runs the transaction, with its changes of lists
   * @throws TransactionRefused when a condition of `alsoWrite` does not hold
   */
  async begin(
    { id, version }: Pick<StoredWorkspace, 'id' | 'version'>,
    now: Date,
    alsoWrite: NamedItems,
    write: (items: NamedItems) => Promise<void>,
  ): Promise<boolean> {
    const row = {
      TableName: this.#table,
      Key: { pk: workspaceKey(id) },
      UpdateExpression: 'SET removed_at = :now, listing = :removal, #version = #version + :one',
      ConditionExpression: '#version = :read AND attribute_not_exists(removed_at)',
      ExpressionAttributeNames: { '#version': 'version' },
      ExpressionAttributeValues: {
        ':now': now.toISOString(),
        ':removal': REMOVAL_LISTING,
        ':one': 1,
        ':read': version,
      },
    };
    try {
      await write({ ...alsoWrite, workspace: { Update: row } });
      return true;
    } catch (error) {
      if (refusedBy(error, 'workspace')) return false;
      throw error;
    }
  }

  async findById(id: string): Promise<Removal | undefined> {
    const row = await this.#rows.find(workspaceKey(id));
    return row?.removed_at === undefined ? undefined : v.parse(removalSchema, row);
  }

  /** Found until the slug is freed. */
  async findBySlug(slug: string): Promise<Removal | undefined> {
    const holder = await this.#slugs.holderOf(slug);
    return holder === undefined ? undefined : this.findById(holder);
  }

  /** The last step that the caller waits for. It may run again. */
  async freeSlug(removal: Removal): Promise<void> {
    const row = {
      TableName: this.#table,
      Key: { pk: workspaceKey(removal.id) },
      UpdateExpression: 'SET slug_freed = :true',
      ConditionExpression: 'attribute_exists(removed_at)',
      ExpressionAttributeValues: { ':true': true },
    };
    try {
      const slug = this.#slugs.deletionBy(removal);
      await transact(this.#client, { slug, workspace: { Update: row } });
    } catch (error) {
      if (!refusedBy(error, 'slug', 'workspace')) throw error;
    }
  }

  /** Saves where the next run goes on. Another run may have finished meanwhile. */
  async noteStripped({ id }: Removal, lastJob: string): Promise<void> {
    await updateWhere(this.#client, {
      TableName: this.#table,
      Key: { pk: workspaceKey(id) },
      UpdateExpression: 'SET stripped_until = :job',
      ConditionExpression: 'attribute_exists(removed_at)',
      ExpressionAttributeValues: { ':job': lastJob },
    });
  }

  /** Saves from when on only what was under way can still write something. */
  async noteEmptied({ id }: Removal, now: Date): Promise<void> {
    await updateWhere(this.#client, {
      TableName: this.#table,
      Key: { pk: workspaceKey(id) },
      UpdateExpression: 'SET emptied_at = :now',
      ConditionExpression: 'attribute_exists(removed_at) AND attribute_not_exists(emptied_at)',
      ExpressionAttributeValues: { ':now': now.toISOString() },
    });
  }

  /** Called once nothing is left. */
  async forget({ id }: Removal): Promise<void> {
    await this.#client.send(new DeleteCommand({ TableName: this.#table, Key: { pk: workspaceKey(id) } }));
  }

  async *list(tellUnreadable: TellUnreadable): AsyncGenerator<Removal> {
    for await (const row of this.#rows.list(REMOVAL_LISTING))
      yield* readableRows(removalSchema, [row], tellUnreadable);
  }
}
