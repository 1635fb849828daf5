import * as v from 'valibot';
import { dynamo } from '../aws/dynamo.ts';
import { SqsFairQueue } from '../aws/fair-queue.ts';
import { sqs } from '../aws/sqs.ts';
import { systemClock } from '../clock.ts';
import { readEnvironment } from '../environment.ts';
import { findOverdue } from '../overdue.ts';
import type { EventMessage } from './event-queue.ts';

/** Past the deliverer's own time-out, so that an attempt being made is not made twice. */
const GRACE_MILLISECONDS = 60_000;

const { EVENTS_TABLE, EVENTS_QUEUE_URL } = readEnvironment({
  EVENTS_TABLE: v.string(),
  EVENTS_QUEUE_URL: v.string(),
});
const queue = new SqsFairQueue<EventMessage>(sqs, EVENTS_QUEUE_URL);

const dueEvent = v.object({ id: v.string(), workspace_id: v.string(), attempts: v.number() });

/**
 * Sends the messages of events that are due: those whose wait is longer than a queue can delay, and those
 * whose message was lost.
 */
export const handler = async (): Promise<void> => {
  const dueBefore = systemClock().getTime() - GRACE_MILLISECONDS;
  for await (const event of findOverdue(dynamo, EVENTS_TABLE, dueEvent, dueBefore)) {
    await queue.send({ v: 1, event_id: event.id, attempt: event.attempts + 1 }, event.workspace_id, 0);
  }
};
