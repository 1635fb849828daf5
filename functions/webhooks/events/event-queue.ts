import * as v from 'valibot';
import type { FairQueue } from '../../aws/fair-queue.ts';
import type { Log } from '../../telemetry/log.ts';
import type { WebhookEvent } from './event.ts';

export const eventMessageSchema = v.object({
  v: v.literal(1),
  event_id: v.string(),
  /** The number of the attempt to make, over all chains; an attempt that was made already is not made again. */
  attempt: v.pipe(v.number(), v.integer(), v.minValue(1)),
});
export type EventMessage = v.InferOutput<typeof eventMessageSchema>;

export type EventQueue = FairQueue<EventMessage>;

/** Queues an event that is stored already. If this fails, the event is due all the same, and the sweeper finds it. */
export async function announceEvent(
  { id, attempts, workspace_id }: Pick<WebhookEvent, 'id' | 'attempts' | 'workspace_id'>,
  queue: EventQueue,
  log: Pick<Log, 'error'>,
): Promise<void> {
  try {
    await queue.send({ v: 1, event_id: id, attempt: attempts + 1 }, workspace_id, 0);
  } catch (error) {
    log.error('event not sent', { event_id: id, error });
  }
}
