import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { batchGet } from '../aws/batch-get.ts';
import { type Micros, micros, plus } from '../money/micros.ts';
import { allShards, OVERDUE_INDEX } from '../sweeping/sparse-index.ts';
import { salvageJob } from '../videos/jobs/salvage-job.ts';
import { ROWS_A_PAGE } from './pages.ts';

/** Money that open jobs hold in one account. */
export interface OpenHolds {
  readonly micros: Micros;
  readonly jobs: number;
}

export const NOTHING_HELD: OpenHolds = { micros: micros(0), jobs: 0 };

/**
 * What open jobs hold, by account. The sweeper's index names the jobs; those in quarantine hold nothing and are left
 * out. Their holds are read from their rows, consistently. This is right if all open jobs have the sweeper's mark.
 */
export async function openHolds(
  client: DynamoDBDocumentClient,
  jobsTable: string,
): Promise<ReadonlyMap<string, OpenHolds>> {
  const sums = new Map<string, OpenHolds>();
  const addShard = async (shard: string) => {
    for await (const ids of openJobs(client, jobsTable, shard)) {
      const rows = ids.length === 0 ? [] : await batchGet(client, jobsTable, ids);
      for (const row of rows.filter(({ active, phase }) => active === shard && phase !== 'settled'))
        add(sums, row);
    }
  };
  await Promise.all(allShards().map(addShard));
  return sums;
}

function add(sums: Map<string, OpenHolds>, row: Record<string, unknown>): void {
  // Of a damaged row only the holds that can be read, because its end will release only those.
  for (const hold of salvageJob(row).job.holds) {
    const before = sums.get(hold.account) ?? NOTHING_HELD;
    sums.set(hold.account, { micros: plus(before.micros, hold.micros), jobs: before.jobs + 1 });
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
