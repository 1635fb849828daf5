import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { SqsFairQueue } from '../../aws/fair-queue.ts';
import { sqs } from '../../aws/sqs.ts';
import { systemClock } from '../../clock.ts';
import { readEnvironment } from '../../environment.ts';
import { findOverdue } from '../../sweeping/overdue.ts';
import type { EventMessage } from '../../webhooks/events/event-queue.ts';
import { EventStore } from '../../webhooks/events/event-store.ts';
import { dueEventSchema, GRACE_MILLISECONDS, sweepEvent } from '../../webhooks/events/sweep-event.ts';

const { EVENTS_TABLE, EVENTS_QUEUE_URL } = readEnvironment({
  EVENTS_TABLE: v.string(),
  EVENTS_QUEUE_URL: v.string(),
});
const ports = {
  events: new EventStore(dynamo, EVENTS_TABLE),
  queue: new SqsFairQueue<EventMessage>(sqs, EVENTS_QUEUE_URL),
  now: systemClock,
};

export const handler = async (): Promise<void> => {
  const dueBefore = systemClock().getTime() - GRACE_MILLISECONDS;
  for await (const event of findOverdue(dynamo, EVENTS_TABLE, dueEventSchema, dueBefore)) {
    await sweepEvent(event, ports);
  }
};
