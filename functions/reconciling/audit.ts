import { type DynamoDBDocumentClient, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet } from '../aws/dynamo-reads.ts';
import type { NamedItems } from '../aws/dynamo-writes.ts';
import type { LogFields } from '../telemetry/log.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Something wrong with a row, as far as one look can tell. */
export interface Finding {
  readonly id: string;
  readonly problem: string;
  /** Everything that it is based on. If two looks find the same facts, nobody has changed the row in between. */
  readonly facts: LogFields;
  /** Repairs it, and is refused if anything has changed since. Absent where nothing proves what is right. */
  readonly repair?: NamedItems;
  /** It may only look wrong, because something could not be read. It is told below the level of an alarm. */
  readonly isUnproven?: boolean;
}

/** What must be true of one kind of rows. */
export interface Audit {
  readonly name: string;
  readonly table: string;
  /** The attribute that is the row's key. */
  readonly key: string;
  /**
   * Reads what rows are compared with: before the first look at any, and again before the second.
   * @param suspects what the first look has found
   */
  begin?(suspects: readonly Finding[]): Promise<void>;
  /** Looks at up to 100 rows. */
  look(rows: readonly Row[]): Promise<Finding[]>;
}

/** The number of rows that one batch reads. */
export const ROWS_A_PAGE = 100;

const cursorSchema = v.object({ audit: v.string(), after: v.exactOptional(v.string()) });
/** Where the next run goes on: at which kind of rows, and after which row. */
export type Cursor = Readonly<v.InferOutput<typeof cursorSchema>>;

/** Reads rows a page at a time, in no order. `last` is the row to go on after; undefined at the end of the table. */
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
        ExclusiveStartKey: last === undefined ? undefined : { [key]: last },
      }),
    );
    last = v.parse(v.optional(v.string()), LastEvaluatedKey?.[key]);
    yield { rows: Items, last };
  } while (last !== undefined);
}

/** The cursor's row is among the accounts, under a name that no account has. */
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
    const [row] = await batchGet(this.#client, this.#table, [KEY]);
    const cursor = v.safeParse(cursorSchema, row?.cursor);
    return cursor.success ? cursor.output : undefined;
  }

  async save(cursor: Cursor | undefined): Promise<void> {
    await this.#client.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: KEY,
        UpdateExpression: 'SET #cursor = :cursor',
        ExpressionAttributeNames: { '#cursor': 'cursor' },
        ExpressionAttributeValues: { ':cursor': cursor ?? null },
      }),
    );
  }
}
