import type { Log } from '../../log.ts';
import type { WebhookEvent } from './event.ts';
import type { EventQueue } from './event-queue.ts';

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
