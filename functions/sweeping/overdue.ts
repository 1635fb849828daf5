import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type * as v from 'valibot';
import { readableRows, type TellUnreadable } from '../aws/readable-rows.ts';
import type { Log } from '../log.ts';
import { allShards, OVERDUE_INDEX } from './sparse-index.ts';

/** A sweeper may run for 50 seconds; what it has begun by then is finished within the rest. */
export const RUN_MILLISECONDS = 40_000;

/** Of each shard: as many as one function has connections for, over all of them. */
const ROWS_AT_ONCE = 5;

export interface SweepPorts {
  readonly client: DynamoDBDocumentClient;
  readonly now: () => Date;
  readonly tellUnreadable: TellUnreadable;
  readonly log: Log;
}

type RowSchema = v.GenericSchema<unknown, { readonly id: string }>;

export interface Overdue<Schema extends RowSchema> {
  readonly table: string;
  /** What the index of due rows holds of one. */
  readonly schema: Schema;
  /** How long after it is due a row is still left to those who move it. */
  readonly graceMilliseconds: number;
}

/**
 * Hands over each row whose next step is overdue: all shards side by side, in each the oldest first. A row that
 * fails is logged and holds up no other; what is not reached in time is left to the next run.
 */
export async function sweepOverdue<const Schema extends RowSchema>(
  { table, schema, graceMilliseconds }: Overdue<Schema>,
  handle: (row: v.InferOutput<Schema>) => Promise<void>,
  { client, now, tellUnreadable, log }: SweepPorts,
): Promise<void> {
  const start = now().getTime();
  const isTimeOver = () => now().getTime() >= start + RUN_MILLISECONDS;
  const tryToHandle = (row: v.InferOutput<Schema>) =>
    handle(row).catch((error: unknown) => log.error('row not swept', { row_id: row.id, error }));
  const sweepShard = async (shard: string) => {
    for await (const rows of overdueRows(client, table, shard, start - graceMilliseconds)) {
      if (isTimeOver()) return;
      await Promise.all([...readableRows(schema, rows, tellUnreadable)].map(tryToHandle));
    }
  };
  await Promise.all(allShards().map(sweepShard));
}

/** A few at a time. Rows that are moved forward meanwhile are not met again. */
async function* overdueRows(
  client: DynamoDBDocumentClient,
  table: string,
  shard: string,
  dueBefore: number,
): AsyncGenerator<Record<string, unknown>[]> {
  const pages = paginateQuery(
    { client, pageSize: 20 * ROWS_AT_ONCE },
    {
      TableName: table,
      IndexName: OVERDUE_INDEX,
      KeyConditionExpression: '#active = :shard AND #due_at < :due',
      ExpressionAttributeNames: { '#active': 'active', '#due_at': 'due_at' },
      ExpressionAttributeValues: { ':shard': shard, ':due': dueBefore },
    },
  );
  for await (const { Items = [] } of pages) {
    for (let i = 0; i < Items.length; i += ROWS_AT_ONCE) yield Items.slice(i, i + ROWS_AT_ONCE);
  }
}
