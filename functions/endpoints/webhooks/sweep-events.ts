import { dynamo } from '../../aws/dynamo.ts';
import { log } from '../../aws/logger.ts';
import { countQuarantinedRow, countSweptRow } from '../../aws/metrics.ts';
import { tellUnreadable } from '../../aws/tell-unreadable.ts';
import { systemClock } from '../../clock.ts';
import { setting } from '../../environment.ts';
import { sweepOverdue } from '../../sweeping/overdue.ts';
import { type DueRow, dueRowSchema } from '../../sweeping/overdue-rows.ts';
import { EventQuarantine } from '../../webhooks/events/event-quarantine.ts';
import { GRACE_MILLISECONDS, type SweepEventPorts, sweepEvent } from '../../webhooks/events/sweep-event.ts';
import { eventQueue, overdueEvents } from './deployed.ts';

const table = setting('eventsTable');
const overdue = { table, schema: dueRowSchema, graceMilliseconds: GRACE_MILLISECONDS };
const ports: SweepEventPorts = {
  overdueRows: overdueEvents(),
  quarantine: new EventQuarantine(dynamo, table),
  countQuarantined: countQuarantinedRow,
  queue: eventQueue(),
  now: systemClock,
  log,
};

export const handler = (): Promise<void> =>
  sweepOverdue(overdue, sweep, { client: dynamo, now: systemClock, tellUnreadable, log });

async function sweep(event: DueRow): Promise<void> {
  countSweptRow('events');
  await sweepEvent(event, ports);
}
