import { isDeepStrictEqual } from 'node:util';
import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { batchGet } from '../../../functions/aws/batch-get.ts';

export type Row = Record<string, unknown>;

/** As many as DynamoDB reads by their keys at once. */
const PAGE = 100;

export interface Tables {
  readonly client: DynamoDBDocumentClient;
  /** What was restored, and what is in use. */
  readonly restored: string;
  readonly current: string;
  /** Of both: the partition key, and the sort key where there is one. */
  readonly keys: readonly string[];
}

/** A row of one table, and what the other has under its key. */
interface Pair {
  readonly row: Row;
  readonly other: Row | undefined;
}

/** Rows as they were that are missing now, or are another now; a page after the other, so that any table fits. */
export async function* rowsToPut({ client, restored, current, keys }: Tables): AsyncGenerator<Pair> {
  for await (const pair of pairs(client, restored, current, keys)) {
    if (!isDeepStrictEqual(pair.row, pair.other)) yield pair;
  }
}

/** Keys of rows that came later. */
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
