import { addressOf } from '../delivery/event-address.ts';
import type { EventStatus } from './event.ts';
import type { EventList } from './event-list.ts';
import { type RedeliverPorts, restartEvent } from './redeliver-event.ts';

/** As many as fit into one request's time. Those that are left are found by the next call. */
export const RECOVERED_AT_ONCE = 250;

const LOST: readonly EventStatus[] = ['failed', 'no_address'];

export interface RecoverPorts extends RedeliverPorts {
  readonly list: Pick<EventList, 'since'>;
}

/**
 * Sends again what was lost since an instant and has an address now, oldest first. Tests are not: they told
 * of a moment that is over. `has_more` when another call would send more.
 */
export async function recoverEvents(
  workspaceId: string,
  since: Date,
  ports: RecoverPorts,
): Promise<{ recovered: number; has_more: boolean }> {
  const settings = await ports.settings.find(workspaceId);
  let recovered = 0;
  for await (const event of ports.list.since(workspaceId, since)) {
    if (event.job_id === undefined || !LOST.includes(event.status)) continue;
    if (addressOf(event, settings) === null) continue;
    if (recovered === RECOVERED_AT_ONCE) return { recovered, has_more: true };
    if ((await restartEvent(event, ports)) !== undefined) recovered++;
  }
  return { recovered, has_more: false };
}
