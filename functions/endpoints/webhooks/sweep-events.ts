import { dynamo } from '../../aws/dynamo.ts';
import { systemClock } from '../../clock.ts';
import { setting } from '../../environment.ts';
import { findOverdue } from '../../sweeping/overdue.ts';
import { dueEventSchema, GRACE_MILLISECONDS, sweepEvent } from '../../webhooks/events/sweep-event.ts';
import { eventQueue, eventStore } from './deployed.ts';

const table = setting('eventsTable');
const ports = { events: eventStore(), queue: eventQueue(), now: systemClock };

export const handler = async (): Promise<void> => {
  const dueBefore = systemClock().getTime() - GRACE_MILLISECONDS;
  for await (const event of findOverdue(dynamo, table, dueEventSchema, dueBefore)) {
    await sweepEvent(event, ports);
  }
};
