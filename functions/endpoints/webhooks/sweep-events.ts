import { randomUUID } from 'node:crypto';
import type * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { log } from '../../aws/logger.ts';
import { countSweptRow } from '../../aws/metrics.ts';
import { tellUnreadable } from '../../aws/tell-unreadable.ts';
import { systemClock } from '../../clock.ts';
import { setting } from '../../environment.ts';
import { sweepOverdue } from '../../sweeping/overdue.ts';
import { dueEventSchema, GRACE_MILLISECONDS, sweepEvent } from '../../webhooks/events/sweep-event.ts';
import { eventQueue, eventStore } from './deployed.ts';

const table = setting('eventsTable');
const overdue = { table, schema: dueEventSchema, graceMilliseconds: GRACE_MILLISECONDS };
const ports = { events: eventStore(), queue: eventQueue(), now: systemClock, newToken: randomUUID };

export const handler = (): Promise<void> =>
  sweepOverdue(overdue, sweep, { client: dynamo, now: systemClock, tellUnreadable, log });

async function sweep(event: v.InferOutput<typeof dueEventSchema>): Promise<void> {
  countSweptRow('events');
  await sweepEvent(event, ports);
}
