import * as v from 'valibot';
import type { EventQueue } from './event-queue.ts';
import type { EventStore } from './event-store.ts';

/** What the index of due rows holds of an event. */
export const dueEventSchema = v.object({
  id: v.string(),
  workspace_id: v.string(),
  attempts: v.number(),
  due_at: v.number(),
});

/** Past an attempt's own lease, so that one under way is left alone. */
export const GRACE_MILLISECONDS = 60_000;

/** Until an event that nobody has taken is sent again: a long queue must not fill with its own repeats. */
const REPEAT_MILLISECONDS = 300_000;

export interface SweepPorts {
  readonly events: Pick<EventStore, 'postpone'>;
  readonly queue: EventQueue;
  readonly now: () => Date;
  /** Never the same twice. */
  readonly newToken: () => string;
}

/**
 * Sends the message of an event that is due: one that waits longer than a queue can delay, or whose
 * message was lost. First the message: a crash before the write sends it once more.
 */
export async function sweepEvent(
  event: v.InferOutput<typeof dueEventSchema>,
  { events, queue, now, newToken }: SweepPorts,
): Promise<void> {
  await queue.send({ v: 1, event_id: event.id, attempt: event.attempts + 1 }, event.workspace_id, 0);
  await events.postpone(event, now().getTime() + REPEAT_MILLISECONDS, newToken());
}
