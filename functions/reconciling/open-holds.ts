import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { batchGet } from '../aws/batch-get.ts';
import { allShards, OVERDUE_INDEX } from '../sweeping/sparse-index.ts';
import { salvageJob } from '../videos/jobs/salvage-job.ts';
import { ROWS_A_PAGE } from './pages.ts';

/** Money that open jobs hold in one account. */
export interface OpenHolds {
  readonly micros: number;
  readonly jobs: number;
}

const NOTHING: OpenHolds = { micros: 0, jobs: 0 };

/**
 * What open jobs hold, by account. The sweeper's index names them, those in quarantine left out, which hold nothing
 * any more; what they hold is read from their rows, consistently. Right where all open jobs have the sweeper's mark.
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
  // Of a torn row what its end will release: the holds that can be read.
  for (const { account, micros } of salvageJob(row).job.holds) {
    const before = sums.get(account) ?? NOTHING;
    sums.set(account, { micros: before.micros + micros, jobs: before.jobs + 1 });
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
