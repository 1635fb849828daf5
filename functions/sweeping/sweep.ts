import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type * as v from 'valibot';
import { readableRows, type TellUnreadable } from '../aws/dynamo-reads.ts';
import type { Log } from '../telemetry/log.ts';
import { allShards, OVERDUE_INDEX } from './sparse-index.ts';
import type { DueRow, OverdueRow, SweptRows } from './swept-rows.ts';

/** A sweeper may run for 50 seconds; the rest is for what it has begun by then. */
export const RUN_MILLISECONDS = 40_000;

/** For each shard; all shards together use as many connections as a function has. */
const ROWS_AT_ONCE = 5;

interface SweepPorts {
  readonly now: () => Date;
  readonly tellUnreadable: TellUnreadable;
  readonly log: Log;
}

type RowSchema = v.GenericSchema<unknown, { readonly id: string }>;

interface Overdue<Schema extends RowSchema> {
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

/** The rows of a table that have a next step, by when it is due. */
export class OverdueRows {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** The oldest first, a few at a time. A row that is put off meanwhile is not met again. */
  async *inShard(
    shard: string,
    dueBefore: number,
    atOnce: number,
  ): AsyncGenerator<Record<string, unknown>[]> {
    const pages = paginateQuery(
      { client: this.#client, pageSize: 20 * atOnce },
      {
        TableName: this.#table,
        IndexName: OVERDUE_INDEX,
        KeyConditionExpression: '#active = :shard AND #due_at < :due',
        ExpressionAttributeNames: { '#active': 'active', '#due_at': 'due_at' },
        ExpressionAttributeValues: { ':shard': shard, ':due': dueBefore },
      },
    );
    for await (const { Items = [] } of pages) {
      for (let i = 0; i < Items.length; i += atOnce) yield Items.slice(i, i + atOnce);
    }
  }
}

const MINUTE = 60_000;

/** Between two sweeps of a row that nobody moves. The last wait is repeated. */
const WAIT_MINUTES = [2, 4, 8, 16];

/** What depends on the kind of rows. */
export interface RowCare {
  /** For how long after it is due a row is left to its own workers. */
  readonly graceMilliseconds: number;
  /** Why the row must be taken out for good; undefined while it may still go on by itself. */
  quarantineReason(row: OverdueRow, now: Date): string | undefined;
  /** @returns false when somebody has moved the row since it was read */
  quarantine(row: OverdueRow, reason: string, now: Date): Promise<boolean>;
  /** Sends the message that makes a worker go on. */
  send(row: OverdueRow): Promise<void>;
  /** When the sweeper looks again, if nobody moves the row until then. @default later each time */
  nextVisit?(row: OverdueRow, now: number): number;
}

export interface SweepRowPorts {
  readonly sweptRows: Pick<SweptRows, 'find' | 'postpone'>;
  readonly countQuarantined: () => void;
  readonly now: () => Date;
  readonly log: Log;
}

export const laterVisit = ({ sweeps }: OverdueRow, now: number): number =>
  now + (WAIT_MINUTES[sweeps] ?? WAIT_MINUTES.at(-1) ?? 0) * MINUTE;

/** Decides what to do for a row whose next step is overdue: send its message again, or take it out. */
export async function sweepRow(
  { id, due_at: dueAt }: DueRow,
  care: RowCare,
  ports: SweepRowPorts,
): Promise<void> {
  const row = await ports.sweptRows.find(id);
  // The index lags a little behind.
  if (row === undefined || row.due_at !== dueAt) return;
  const now = ports.now();
  const reason = care.quarantineReason(row, now);
  if (reason === undefined) return sendAgain(row, care, ports);
  if (!(await care.quarantine(row, reason, now))) return;
  ports.countQuarantined();
  ports.log.error('row quarantined', { row_id: id, reason });
}

/** The row is put off first, so that of two sweepers only one sends. A crash in between costs one wait. */
async function sendAgain(row: OverdueRow, care: RowCare, { sweptRows, now }: SweepRowPorts): Promise<void> {
  const visit = (care.nextVisit ?? laterVisit)(row, now().getTime());
  if (await sweptRows.postpone(row, visit - care.graceMilliseconds)) await care.send(row);
}
