import type { Log } from '../../log.ts';
import type { WebhookEvent } from './event.ts';
import type { EventQueue } from './event-queue.ts';

/** Has an event delivered that is written. It is due whether or not this succeeds: the sweeper finds what nobody was sent. */
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
