import { randomUUID } from 'node:crypto';
import type * as v from 'valibot';
import { log } from '../../aws/logger.ts';
import { countSweptRow } from '../../aws/metrics.ts';
import { tellUnreadable } from '../../aws/tell-unreadable.ts';
import { systemClock } from '../../clock.ts';
import { sweepOverdue } from '../../sweeping/overdue.ts';
import { dueEventSchema, GRACE_MILLISECONDS, sweepEvent } from '../../webhooks/events/sweep-event.ts';
import { eventQueue, eventStore, overdueEventRows } from './deployed.ts';

const overdue = { rows: overdueEventRows(), schema: dueEventSchema, graceMilliseconds: GRACE_MILLISECONDS };
const ports = { events: eventStore(), queue: eventQueue(), now: systemClock, newToken: randomUUID };

export const handler = (): Promise<void> =>
  sweepOverdue(overdue, sweep, { now: systemClock, tellUnreadable, log });

async function sweep(event: v.InferOutput<typeof dueEventSchema>): Promise<void> {
  countSweptRow('events');
  await sweepEvent(event, ports);
}
