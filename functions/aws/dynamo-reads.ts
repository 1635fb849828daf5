import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type BatchGetCommandOutput,
  type DynamoDBDocumentClient,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';

type Row = Record<string, unknown>;

/** A row of a store's table, for `batchGetEach`. */
export interface RowToRead {
  readonly table: string;
  readonly key: Row;
}

/** One row of each of several tables as it is now, in one call. A row that is not there is undefined. */
export async function batchGetEach<const Name extends string>(
  client: DynamoDBDocumentClient,
  wanted: Readonly<Record<Name, RowToRead>>,
): Promise<Partial<Record<Name, Row>>> {
  const named = Object.entries<RowToRead>(wanted);
  const tables = new Set(named.map(([, { table }]) => table));
  if (tables.size < named.length) throw new Error('batchGetEach was asked for more than one row of a table');
  const rows = await batchGetAll(
    client,
    Object.fromEntries(named.map(([, { table, key }]) => [table, [key]])),
  );
  const found = named.flatMap(([name, { table }]) => (rows.get(table) ?? []).map((row) => [name, row]));
  return Object.fromEntries(found);
}

/** The rows of at most 100 keys as they are now, in no order; a key without a row has none. */
export async function batchGet(
  client: DynamoDBDocumentClient,
  table: string,
  keys: readonly Row[],
): Promise<Row[]> {
  if (keys.length === 0) return [];
  return (await batchGetAll(client, { [table]: keys })).get(table) ?? [];
}

/** DynamoDB leaves keys unread when the answer would be too large or the table is busy; they are asked for again. */
async function batchGetAll(
  client: DynamoDBDocumentClient,
  keys: Readonly<Record<string, readonly Row[]>>,
): Promise<Map<string, Row[]>> {
  const rows = new Map<string, Row[]>();
  let left: BatchGetCommandInput['RequestItems'] = Object.fromEntries(
    Object.entries(keys).map(([table, Keys]) => [table, { Keys: [...Keys], ConsistentRead: true }]),
  );
  while (left !== undefined && Object.keys(left).length > 0) {
    const { Responses = {}, UnprocessedKeys }: BatchGetCommandOutput = await client.send(
      new BatchGetCommand({ RequestItems: left }),
    );
    for (const [table, some] of Object.entries(Responses))
      rows.set(table, [...(rows.get(table) ?? []), ...some]);
    left = UnprocessedKeys;
  }
  return rows;
}

/**
 * The most rows that one call reads to fill its page: the longest page and one more row, which tells whether there is
 * another page.
 */
const ROWS_A_CALL = 101;
/** An answer of DynamoDB is up to 1 MB where rows are large, and a function's answer at most 6 MB. */
const ANSWERS_A_CALL = 3;

export interface Listing<Schema extends v.GenericSchema> {
  readonly table: string;
  readonly index: string;
  /** The attribute that all rows of the list share, and its value. */
  readonly partition: readonly [name: string, value: string];
  /** The attribute that the list is sorted by. */
  readonly sortKey: string;
  /** The first and last sort key of the list, both included. */
  readonly from: string;
  readonly to: string;
  readonly oldestFirst: boolean;
  /** What other attributes of a row must be; undefined allows anything. */
  readonly where?: Readonly<Record<string, string | undefined>>;
  readonly schema: Schema;
  readonly tellUnreadable: TellUnreadable;
}

/** `cursor` is the sort key to go on after, null at the end of the list. A page with a cursor may be empty. */
export interface Page<Row> {
  readonly rows: Row[];
  readonly cursor: string | null;
}

/**
 * One call reads no more than its share of rows, however many there are and however few are wanted. A row that cannot
 * be read is left out and reported, so that it does not hide the others.
 */
export async function readPage<const Schema extends v.GenericSchema>(
  client: DynamoDBDocumentClient,
  listing: Listing<Schema>,
  limit: number,
): Promise<Page<v.InferOutput<Schema>>> {
  // DynamoDB refuses a range whose ends are in the wrong order.
  if (listing.from > listing.to) return { rows: [], cursor: null };
  const query = queryOf(listing);
  const toCursor = v.pipe(
    v.record(v.string(), v.unknown()),
    v.transform((row) => row[listing.sortKey]),
    v.string(),
  );
  const found: Record<string, unknown>[] = [];
  const page = (length: number, last: unknown) => ({
    rows: [...readableRows(listing.schema, found.slice(0, length), listing.tellUnreadable)],
    cursor: last === undefined ? null : v.parse(toCursor, last),
  });
  let start: Record<string, unknown> | undefined;
  let rowsLeft = Math.max(ROWS_A_CALL, limit + 1);
  for (let answers = 0; answers < ANSWERS_A_CALL && rowsLeft > 0; answers++) {
    const answer = await client.send(
      new QueryCommand({
        ...query,
        // The first read asks for few rows: most often they are the wanted ones.
        Limit: answers === 0 ? limit + 1 : rowsLeft,
        ExclusiveStartKey: start,
      }),
    );
    found.push(...(answer.Items ?? []));
    if (found.length > limit) return page(limit, found[limit - 1]);
    start = answer.LastEvaluatedKey;
    if (start === undefined) break;
    rowsLeft -= answer.ScannedCount ?? 0;
  }
  return page(found.length, start);
}

function queryOf({
  table,
  index,
  partition,
  sortKey,
  from,
  to,
  oldestFirst,
  where = {},
}: Listing<v.GenericSchema>) {
  const filters = Object.entries(where).filter(([, value]) => value !== undefined);
  const FilterExpression = filters.map((_, i) => `#filter${i} = :filter${i}`).join(' AND ');
  return {
    TableName: table,
    IndexName: index,
    ScanIndexForward: oldestFirst,
    KeyConditionExpression: '#partition = :partition AND #sort BETWEEN :from AND :to',
    ...(filters.length === 0 ? {} : { FilterExpression }),
    ExpressionAttributeNames: {
      '#partition': partition[0],
      '#sort': sortKey,
      ...Object.fromEntries(filters.map(([name], i) => [`#filter${i}`, name])),
    },
    ExpressionAttributeValues: {
      ':partition': partition[1],
      ':from': from,
      ':to': to,
      ...Object.fromEntries(filters.map(([, value], i) => [`:filter${i}`, value])),
    },
  };
}

/** The greatest text of the same length that is less than this one. */
export function justBefore(text: string): string {
  const last = text.length - 1;
  return text.slice(0, last) + String.fromCharCode(text.charCodeAt(last) - 1);
}

/** Reports a row that cannot be read: its id and the names of the fields, never their values. */
export type TellUnreadable = (id: unknown, fields: readonly string[]) => void;

/** Parses the rows of a list. A row that cannot be read is left out, so that it does not hide the others. */
export function* readableRows<const Schema extends v.GenericSchema>(
  schema: Schema,
  rows: readonly Record<string, unknown>[],
  tell: TellUnreadable,
): Generator<v.InferOutput<Schema>> {
  for (const row of rows) {
    const result = v.safeParse(schema, row);
    if (result.success) yield result.output;
    else tell(row.id, unreadFields(result.issues));
  }
}

/** Where the issues are: `phase`, `request.width`. */
export const unreadFields = (issues: readonly v.BaseIssue<unknown>[]): string[] =>
  issues.map((issue) => v.getDotPath(issue) ?? '?');
