import { type DynamoDBDocumentClient, GetCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Audit, Row } from './audit.ts';

/** As many as one batch reads. */
export const ROWS_A_PAGE = 100;

const cursorSchema = v.object({ audit: v.string(), after: v.exactOptional(v.string()) });
/** Where a run goes on: at which kind of rows, and after which of them. */
export type Cursor = Readonly<v.InferOutput<typeof cursorSchema>>;

/** Rows a page at a time, in no order; `last` is what to go on after, undefined at the end of the table. */
export async function* readRows(
  client: DynamoDBDocumentClient,
  { table, key }: Pick<Audit, 'table' | 'key'>,
  after: string | undefined,
): AsyncGenerator<{ readonly rows: readonly Row[]; readonly last: string | undefined }> {
  let last = after;
  do {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new ScanCommand({
        TableName: table,
        Limit: ROWS_A_PAGE,
        ...(last === undefined ? {} : { ExclusiveStartKey: { [key]: last } }),
      }),
    );
    last = v.parse(v.optional(v.string()), LastEvaluatedKey?.[key]);
    yield { rows: Items, last };
  } while (last !== undefined);
}

/** Its row stands where accounts have theirs, under a name that no account has. */
const KEY = { account: 'reconciliation' };

export class CursorStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** Undefined at the beginning, and where the row cannot be read. */
  async find(): Promise<Cursor | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: KEY, ConsistentRead: true }),
    );
    const cursor = v.safeParse(cursorSchema, Item?.cursor);
    return cursor.success ? cursor.output : undefined;
  }

  async save(cursor: Cursor | undefined): Promise<void> {
    const Item = cursor === undefined ? KEY : { ...KEY, cursor };
    await this.#client.send(new PutCommand({ TableName: this.#table, Item }));
  }
}
