import { systemClock } from '../../clock.ts';
import { eventQuarantine, eventQueue, overdueEventRows, overdueEvents } from '../../deployed/webhooks.ts';
import { sweepOverdue } from '../../sweeping/sweep.ts';
import { type DueRow, dueRowSchema } from '../../sweeping/swept-rows.ts';
import { log } from '../../telemetry/logger.ts';
import { countQuarantinedRow, countSweptRow, tellUnreadable } from '../../telemetry/metrics.ts';
import { GRACE_MILLISECONDS, type SweepEventPorts, sweepEvent } from '../../webhooks/events/sweep-event.ts';

const overdue = { rows: overdueEventRows(), schema: dueRowSchema, graceMilliseconds: GRACE_MILLISECONDS };
const ports: SweepEventPorts = {
  sweptRows: overdueEvents(),
  quarantine: eventQuarantine(),
  countQuarantined: countQuarantinedRow,
  queue: eventQueue(),
  now: systemClock,
  log,
};

export const handler = (): Promise<void> =>
  sweepOverdue(overdue, sweep, { now: systemClock, tellUnreadable, log });

async function sweep(event: DueRow): Promise<void> {
  countSweptRow('events');
  await sweepEvent(event, ports);
}
