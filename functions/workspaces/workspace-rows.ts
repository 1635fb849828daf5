import { type DynamoDBDocumentClient, GetCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { type REMOVAL_LISTING, type WORKSPACE_LISTING, WORKSPACES_BY_CREATION } from './table.ts';

export type Row = Readonly<Record<string, unknown>>;

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
