import type * as v from 'valibot';
import { readableRows, type TellUnreadable } from '../aws/readable-rows.ts';
import type { Log } from '../log.ts';
import type { OverdueRows } from './overdue-rows.ts';
import { allShards } from './sparse-index.ts';

/** A sweeper may run for 50 seconds; the rest is for what it has begun by then. */
export const RUN_MILLISECONDS = 40_000;

/** For each shard; all shards together use as many connections as a function has. */
const ROWS_AT_ONCE = 5;

export interface SweepPorts {
  readonly now: () => Date;
  readonly tellUnreadable: TellUnreadable;
  readonly log: Log;
}

type RowSchema = v.GenericSchema<unknown, { readonly id: string }>;

export interface Overdue<Schema extends RowSchema> {
  readonly rows: Pick<OverdueRows, 'inShard'>;
  /** The attributes that the index of due rows contains. */
  readonly schema: Schema;
  /** For how long after it is due a row is left to its own workers. */
  readonly graceMilliseconds: number;
}

/**
 * Hands over each row whose next step is overdue: all shards side by side, in each the oldest first. A row that fails
 * is logged and delays no other; what is not reached in time is left to the next run.
 */
export async function sweepOverdue<const Schema extends RowSchema>(
  { rows, schema, graceMilliseconds }: Overdue<Schema>,
  handle: (row: v.InferOutput<Schema>) => Promise<void>,
  { now, tellUnreadable, log }: SweepPorts,
): Promise<void> {
  const start = now().getTime();
  const isTimeOver = () => now().getTime() >= start + RUN_MILLISECONDS;
  const tryToHandle = (row: v.InferOutput<Schema>) =>
    handle(row).catch((error: unknown) => log.error('row not swept', { row_id: row.id, error }));
  const sweepShard = async (shard: string) => {
    for await (const some of rows.inShard(shard, start - graceMilliseconds, ROWS_AT_ONCE)) {
      if (isTimeOver()) return;
      await Promise.all([...readableRows(schema, some, tellUnreadable)].map(tryToHandle));
    }
  };
  await Promise.all(allShards().map(sweepShard));
}
