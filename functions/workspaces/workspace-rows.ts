import { type DynamoDBDocumentClient, GetCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type NamedItems, refusedBy, type TransactItem } from '../aws/dynamo-writes.ts';
import { isOverload } from '../aws/retry.ts';
import { InvalidRequest } from '../http/errors.ts';
import { type REMOVAL_LISTING, type WORKSPACE_LISTING, WORKSPACES_BY_CREATION } from '../tables.ts';

export const workspaceKey = (id: string) => `WORKSPACE#${id}`;
const slugKey = (slug: string) => `SLUG#${slug}`;

type Row = Readonly<Record<string, unknown>>;

/** The rows of workspaces as DynamoDB has them, for the stores that know what is in them. */
export class WorkspaceRows {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** Reads consistently. */
  async find(pk: string): Promise<Row | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { pk }, ConsistentRead: true }),
    );
    return Item;
  }

  /** Those that are listed so, oldest first. */
  async *list(listing: typeof WORKSPACE_LISTING | typeof REMOVAL_LISTING): AsyncGenerator<Row> {
    const pages = paginateQuery(
      { client: this.#client },
      {
        TableName: this.#table,
        IndexName: WORKSPACES_BY_CREATION,
        KeyConditionExpression: 'listing = :listing',
        ExpressionAttributeValues: { ':listing': listing },
      },
    );
    for await (const { Items = [] } of pages) yield* Items;
  }
}

export class SlugTaken extends InvalidRequest {
  constructor(slug: string, cause: unknown) {
    super(`slug: "${slug}" is taken; choose another`, { metadata: { path: 'slug' }, cause });
  }
}

/** A workspace that has a slug, or wants it. */
interface Holder {
  readonly id: string;
  readonly slug: string;
}

const slugRowSchema = v.object({ workspace_id: v.string() });

/**
 * Beside its own row a workspace has one whose key is its slug. That row keeps slugs unique at any concurrency, because
 * a transaction can create it only once.
 */
export class SlugRows {
  readonly #rows: WorkspaceRows;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#rows = new WorkspaceRows(client, table);
    this.#table = table;
  }

  /** The id of the workspace that has the slug. */
  async holderOf(slug: string): Promise<string | undefined> {
    const row = await this.#rows.find(slugKey(slug));
    return row === undefined ? undefined : v.parse(slugRowSchema, row).workspace_id;
  }

  /**
   * Runs a transaction by which the workspace gets its slug.
   * @throws SlugTaken when a workspace has it, even this one
   */
  async take(
    holder: Holder,
    alsoWrite: NamedItems,
    transaction: (items: NamedItems) => Promise<void>,
  ): Promise<void> {
    const { id, slug } = holder;
    try {
      await transaction({ ...alsoWrite, slug: this.#insertion(holder) });
    } catch (error) {
      if (refusedBy(error, 'slug')) throw new SlugTaken(slug, error);
      // When many want one slug at once, a transaction may meet another one each time. Then the slug has been taken
      // meanwhile.
      const other = isOverload(error) ? await this.holderOf(slug) : undefined;
      if (other !== undefined && other !== id) throw new SlugTaken(slug, error);
      throw error;
    }
  }

  #insertion({ id, slug }: Holder): TransactItem {
    return {
      Put: {
        TableName: this.#table,
        Item: { pk: slugKey(slug), workspace_id: id },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    };
  }

  /** For a transaction in which another condition says that the slug is still the workspace's. */
  deletion(slug: string): TransactItem {
    return { Delete: { TableName: this.#table, Key: { pk: slugKey(slug) } } };
  }

  /** Refused when the workspace no longer has the slug. */
  deletionBy({ id, slug }: Holder): TransactItem {
    return {
      Delete: {
        TableName: this.#table,
        Key: { pk: slugKey(slug) },
        ConditionExpression: 'workspace_id = :id',
        ExpressionAttributeValues: { ':id': id },
      },
    };
  }
}
