import { type DynamoDBDocumentClient, paginateQuery, paginateScan } from '@aws-sdk/lib-dynamodb';
import { batchGet } from '../aws/dynamo-reads.ts';
import { type Micros, micros, plus } from '../money/micros.ts';
import { allShards, OVERDUE_INDEX, QUARANTINED } from '../sweeping/sparse-index.ts';
import { salvageJob } from '../videos/jobs/salvage-job.ts';
import { ROWS_A_PAGE, type Row } from './audit.ts';

/** Money that open jobs hold in one account. */
interface OpenHolds {
  readonly micros: Micros;
  readonly jobs: number;
}

export const NOTHING_HELD: OpenHolds = { micros: micros(0), jobs: 0 };

/** What open jobs hold, by account. */
export type Held = ReadonlyMap<string, OpenHolds>;

export interface OpenHoldsPorts {
  readonly client: DynamoDBDocumentClient;
  readonly jobsTable: string;
  readonly now: () => Date;
}

/**
 * The sweeper's index names the jobs; their holds are read from their rows, consistently. At least this much is held.
 * The index may miss the latest jobs for minutes, because DynamoDB promises no time by which an index is up to date. It
 * is in the order of what is due, so a job that moves on between two pages may be in both.
 */
export async function heldByTheIndex({ client, jobsTable }: OpenHoldsPorts): Promise<Held> {
  const held = new Map<string, OpenHolds>();
  const addShard = async (shard: string) => {
    const seen = new Set<unknown>();
    for await (const keys of openJobs(client, jobsTable, shard)) {
      const unseen = keys.filter(({ id }) => !seen.has(id));
      for (const { id } of unseen) seen.add(id);
      const rows = await batchGet(client, jobsTable, unseen);
      for (const row of rows.filter(({ active }) => active === shard)) add(held, row);
    }
  };
  await Promise.all(allShards().map(addShard));
  return held;
}

/** Enough for some gigabytes of rows; the function has ten minutes for everything. */
const PROOF_MILLISECONDS = 120_000;

/**
 * All rows of the table are read, consistently. Exactly this much is held in an account on which nothing was held or
 * settled meanwhile.
 * @returns undefined when there are too many rows to read them in time
 */
export async function heldByRows({ client, jobsTable, now }: OpenHoldsPorts): Promise<Held | undefined> {
  const end = now().getTime() + PROOF_MILLISECONDS;
  const held = new Map<string, OpenHolds>();
  const pages = paginateScan(
    { client },
    {
      TableName: jobsTable,
      ConsistentRead: true,
      FilterExpression: 'attribute_exists(#holds) AND NOT #phase = :settled',
      ExpressionAttributeNames: { '#holds': 'holds', '#phase': 'phase' },
      ExpressionAttributeValues: { ':settled': 'settled' },
    },
  );
  for await (const { Items = [] } of pages) {
    for (const row of Items) add(held, row);
    if (now().getTime() >= end) return undefined;
  }
  return held;
}

function add(held: Map<string, OpenHolds>, row: Row): void {
  if (row.phase === 'settled' || row.active === QUARANTINED) return;
  // Of a damaged row only the holds that can be read, because its end will release only those.
  for (const { account, micros } of salvageJob(row).job.holds) {
    const before = held.get(account) ?? NOTHING_HELD;
    held.set(account, { micros: plus(before.micros, micros), jobs: before.jobs + 1 });
  }
}

async function* openJobs(client: DynamoDBDocumentClient, table: string, shard: string) {
  const pages = paginateQuery(
    { client, pageSize: ROWS_A_PAGE },
    {
      TableName: table,
      IndexName: OVERDUE_INDEX,
      KeyConditionExpression: '#active = :shard',
      ProjectionExpression: '#id',
      ExpressionAttributeNames: { '#active': 'active', '#id': 'id' },
      ExpressionAttributeValues: { ':shard': shard },
    },
  );
  for await (const { Items = [] } of pages) yield Items;
}
