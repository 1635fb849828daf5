import { addressOf } from '../delivery/event-address.ts';
import type { EventList } from './event-list.ts';
import { type RedeliverPorts, restartEvent } from './redeliver-event.ts';

/** As many as one request has time for. */
export const RECOVERED_AT_ONCE = 250;

export interface RecoverPorts extends RedeliverPorts {
  readonly list: Pick<EventList, 'lost'>;
}

export interface Recovery {
  readonly recovered: number;
  readonly has_more: boolean;
  /** Where the next call goes on; absent at the end. */
  readonly cursor?: string;
}

/**
 * Sends again what was lost since a moment and has an address now, oldest first. What has none stays lost, and the
 * cursor skips it.
 */
export async function recoverEvents(
  workspaceId: string,
  { since, cursor: after }: { readonly since: Date; readonly cursor?: string | undefined },
  ports: RecoverPorts,
): Promise<Recovery> {
  const settings = await ports.settings.find(workspaceId);
  const { rows, cursor } = await ports.list.lost(workspaceId, since, after, RECOVERED_AT_ONCE);
  let recovered = 0;
  for (const event of rows) {
    if (addressOf(event, settings) === null) continue;
    if ((await restartEvent(event, ports)) !== undefined) recovered++;
  }
  return cursor === null ? { recovered, has_more: false } : { recovered, has_more: true, cursor };
}
