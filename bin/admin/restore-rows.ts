import { isDeepStrictEqual } from 'node:util';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, type DynamoDBDocumentClient, PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { batchGet } from '../../functions/aws/dynamo-reads.ts';
import { CommandFailed } from '../cli/cli.ts';
import { type Admin, adminCommand, type Deployment } from './admin.ts';

export const restoreRowsCommand = (admin: Admin) =>
  adminCommand(
    'restore-rows',
    `Compares a table of the stage with its restored copy, and counts missing, changed and newer rows. With --write, it also
restores the missing and changed rows. Pause the workers first, because what is written during the restore could be lost. Callers can still write:
to keep nearly all requests out, lower the setting throttle to its minimum.`,
    [
      'restore-rows RESTORED TABLE --stage prod',
      'restore-rows RESTORED TABLE --only vid_01k… --write --stage prod',
      'restore-rows RESTORED TABLE --write --remove-later --stage prod',
    ],
  )
    .argument('<restored>', 'name of the restored table')
    .argument('<table>', 'name of the table of the stage, such as Genway-prod-…')
    .option(
      '--only <id...>',
      'only rows with these partition keys, such as VID and VID#request for the job VID',
    )
    .option('--write', 'restore missing and changed rows, instead of only counting them', false)
    .option(
      '--remove-later',
      'with --write: also remove newer rows, which the restored table does not have',
      false,
    )
    .action(async (restored, table, { stage, only, write, removeLater }) => {
      const prefix = `${admin.stackOf(stage)}-`;
      if (restored === table)
        throw new CommandFailed(`Both tables are ${table}: the first must be the restored table`);
      if (!table.startsWith(prefix))
        throw new CommandFailed(
          `${table} is not a table of the stack; the names of the stack's tables begin with ${prefix}`,
        );
      const tables = await tablesOf(await admin.open(stage), restored, table);
      const found = await restoreRows(tables, { only, writes: write, removesLater: removeLater });
      const done = write ? 'restored' : 'to restore';
      admin.print(
        `Rows ${done}: ${found.missing + found.different} (missing: ${found.missing}, changed: ${found.different})`,
      );
      admin.print(`Newer rows${write && removeLater ? ' removed' : ''}: ${found.later}`);
    });

async function tablesOf({ client }: Deployment, restored: string, current: string): Promise<Tables> {
  const [{ keys: of, source = current }, { keys: into }] = await Promise.all([
    described(client, restored),
    described(client, current),
  ]);
  if (of.join() !== into.join())
    throw new CommandFailed(
      `${restored} was not restored from ${current}: its key is ${of.join(' and ')}, not ${into.join(' and ')}`,
    );
  // Several tables have the same key, but the readers of one cannot read the rows of another.
  if (placeOf(source) !== placeOf(current))
    throw new CommandFailed(`${restored} was restored from ${source}, not from ${current}`);
  return { client, restored, current, keys: into };
}

/** A table's name without its random end, which changes when the table is replaced. */
const placeOf = (table: string): string => table.slice(0, table.lastIndexOf('-'));

/** Its keys, the partition key first; and the table that it was restored from, if DynamoDB says so. */
async function described(client: Deployment['client'], TableName: string) {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const keys = Table?.KeySchema?.toSorted((one) => (one.KeyType === 'HASH' ? -1 : 1)) ?? [];
  return {
    keys: keys.map(({ AttributeName = '' }) => AttributeName),
    source: Table?.RestoreSummary?.SourceTableArn?.split('/').at(-1),
  };
}

interface RestoreOptions {
  /** Only rows with these partition keys. @default all rows */
  readonly only: readonly string[] | undefined;
  /** Whether to write the rows; otherwise they are only counted. */
  readonly writes: boolean;
  /** Whether to remove rows that are newer than the restored table. */
  readonly removesLater: boolean;
}

interface Restored {
  /** How many rows were missing. */
  readonly missing: number;
  /** How many rows were different. */
  readonly different: number;
  /** How many rows are newer. */
  readonly later: number;
}

/** Writes rows as they are in a restored table. A second run changes nothing more. */
export async function restoreRows(tables: Tables, options: RestoreOptions): Promise<Restored> {
  const { client, current, keys } = tables;
  const [partition = ''] = keys;
  const isMeant = (row: Row) => options.only?.includes(String(row[partition])) ?? true;
  let [missing, different, later] = [0, 0, 0];
  for await (const { row, other } of rowsToPut(tables)) {
    if (!isMeant(row)) continue;
    if (other === undefined) missing += 1;
    else different += 1;
    if (options.writes) await client.send(new PutCommand({ TableName: current, Item: row }));
  }
  for await (const Key of keysToRemove(tables)) {
    if (!isMeant(Key)) continue;
    later += 1;
    if (options.writes && options.removesLater)
      await client.send(new DeleteCommand({ TableName: current, Key }));
  }
  return { missing, different, later };
}

type Row = Record<string, unknown>;

/** The most rows that DynamoDB reads by key in one call. */
const PAGE = 100;

interface Tables {
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
async function* rowsToPut({ client, restored, current, keys }: Tables): AsyncGenerator<Pair> {
  for await (const pair of pairs(client, restored, current, keys)) {
    if (!isDeepStrictEqual(pair.row, pair.other)) yield pair;
  }
}

/** Keys of rows that are newer than the restored table. */
async function* keysToRemove({ client, restored, current, keys }: Tables): AsyncGenerator<Row> {
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
