import { isDeepStrictEqual } from 'node:util';
import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { batchGet } from '../../../functions/aws/batch-get.ts';

export type Row = Record<string, unknown>;

/** The most rows that DynamoDB reads by key in one call. */
const PAGE = 100;

export interface Tables {
  readonly client: DynamoDBDocumentClient;
  /** The restored table, and the table in use. */
  readonly restored: string;
  readonly current: string;
  /** The keys of both tables: the partition key, and the sort key if there is one. */
  readonly keys: readonly string[];
}

/** A row of one table, and the row of the other table with the same key. */
interface Pair {
  readonly row: Row;
  readonly other: Row | undefined;
}

/** Restored rows that are now missing or different, page by page, so that a table of any size works. */
export async function* rowsToPut({ client, restored, current, keys }: Tables): AsyncGenerator<Pair> {
  for await (const pair of pairs(client, restored, current, keys)) {
    if (!isDeepStrictEqual(pair.row, pair.other)) yield pair;
  }
}

/** Keys of rows that are newer than the restored table. */
export async function* keysToRemove({ client, restored, current, keys }: Tables): AsyncGenerator<Row> {
  for await (const { row, other } of pairs(client, current, restored, keys)) {
    if (other === undefined) yield keyOf(row, keys);
  }
}

async function* pairs(
  client: DynamoDBDocumentClient,
  TableName: string,
  other: string,
  keys: readonly string[],
): AsyncGenerator<Pair> {
  const pages = paginateScan({ client, pageSize: PAGE }, { TableName, ConsistentRead: true });
  for await (const { Items = [] } of pages) {
    const found = await batchGet(
      client,
      other,
      Items.map((row) => keyOf(row, keys)),
    );
    const byKey = new Map(found.map((row) => [identity(row, keys), row]));
    for (const row of Items) yield { row, other: byKey.get(identity(row, keys)) };
  }
}

const keyOf = (row: Row, keys: readonly string[]): Row =>
  Object.fromEntries(keys.map((name) => [name, row[name]]));

const identity = (row: Row, keys: readonly string[]): string => JSON.stringify(keys.map((name) => row[name]));
