import * as v from 'valibot';
import { type RowCare, type SweepRowPorts, sweepRow } from '../../sweeping/sweep-row.ts';
import type { DueRow } from '../../sweeping/swept-rows.ts';
import { type EventQuarantine, quarantineReason } from './event-quarantine.ts';
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
