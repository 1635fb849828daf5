import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { unreadFields } from '../../aws/dynamo-reads.ts';
import { refusedBy, transact } from '../../aws/dynamo-writes.ts';
import { type QuarantinedRow, QuarantinedRows, quarantinedRow } from '../../sweeping/quarantined-rows.ts';
import { type RowCare, type SweepRowPorts, sweepRow } from '../../sweeping/sweep.ts';
import { type DueRow, type OverdueRow, standingFailure, unmoved } from '../../sweeping/swept-rows.ts';
import { expiryAfter, webhookEventSchema } from './event.ts';
import type { EventQueue } from './event-queue.ts';

/** Longer than an attempt's own lease, so that one under way is left alone. */
export const GRACE_MILLISECONDS = 60_000;

/** Where this cannot be read no attempt is possible, and the message only makes a worker say why. */
const attemptsSchema = v.object({ attempts: v.fallback(v.pipe(v.number(), v.integer(), v.minValue(0)), 0) });

export interface SweepEventPorts extends SweepRowPorts {
  readonly quarantine: Pick<EventQuarantine, 'add'>;
  readonly queue: EventQueue;
}

/** Sends the message of a due event: one that waited longer than a queue can delay, or whose message was lost. */
export const sweepEvent = (row: DueRow, ports: SweepEventPorts): Promise<void> =>
  sweepRow(row, careOfEvents(ports), ports);

const careOfEvents = ({ quarantine, queue }: SweepEventPorts): RowCare => ({
  graceMilliseconds: GRACE_MILLISECONDS,
  quarantineReason,
  quarantine: (row, reason, now) => quarantine.add(row, reason, now),
  send: async ({ id, workspace_id, row }) => {
    const { attempts } = v.parse(attemptsSchema, row);
    await queue.send({ v: 1, event_id: id, attempt: attempts + 1 }, workspace_id, 0);
  },
});

/** Some three hours of waiting without a step forward. */
export const ENOUGH_SWEEPS = 12;

/**
 * If deliverers have written nothing for this long, all of them may be down. Then the events are not at fault, and get
 * a day.
 */
export const SILENT_SWEEPS = 96;

/** Why an event must be taken out for good; undefined while it may still be delivered. */
export function quarantineReason(event: OverdueRow): string | undefined {
  if (event.sweeps < ENOUGH_SWEEPS) return undefined;
  const read = v.safeParse(webhookEventSchema, event.row);
  if (!read.success) return `its row cannot be read: ${unreadFields(read.issues).join(', ')}`;
  const failure = standingFailure(event);
  if (failure !== undefined) return `workers fail on it: ${failure}`;
  return event.sweeps < SILENT_SWEEPS
    ? undefined
    : 'no worker has tried to deliver it or reported an error for a day';
}

const originSchema = v.object({ job_id: v.string(), workspace_id: v.string() });

/**
 * Takes in events that cannot be tried: for their workspace they are not delivered, and their rows stay as they were
 * for operators.
 */
export class EventQuarantine {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #rows: QuarantinedRows;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
    this.#rows = new QuarantinedRows(client, table);
  }

  /** @returns false when somebody has moved the event since it was read */
  async add(event: OverdueRow, reason: string, now: Date): Promise<boolean> {
    const origin = v.safeParse(originSchema, event.row);
    // It can be recovered like any other lost event, once its row can be read.
    const lost = origin.success ? { lost_in: origin.output.workspace_id } : {};
    const failed = { status: 'failed', lease_until: 0, expires_at: expiryAfter(now), ...lost };
    const Item = quarantinedRow(event.row, failed, reason, now);
    try {
      await transact(this.#client, { event: { Put: { TableName: this.#table, Item, ...unmoved(event) } } });
      return true;
    } catch (error) {
      if (refusedBy(error, 'event')) return false;
      throw error;
    }
  }

  list = (): AsyncGenerator<QuarantinedRow> => this.#rows.list();

  /** @returns false when there is no such event in quarantine */
  async release(id: string, now: Date): Promise<boolean> {
    const event = await this.#rows.releasing(id, { expires_at: expiryAfter(now) }, now);
    if (event === undefined) return false;
    await transact(this.#client, { event });
    return true;
  }
}
