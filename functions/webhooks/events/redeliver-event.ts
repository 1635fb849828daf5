import type * as v from 'valibot';
import { Conflict } from '../../http/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { addressOf, type WebhookSettingsStore } from '../settings/webhook-settings.ts';
import type { WebhookEvent } from './event.ts';
import type { EventList } from './event-list.ts';
import { announceEvent, type EventQueue } from './event-queue.ts';
import type { EventStore } from './event-store.ts';
import type { recoveredSchema } from './shown-delivery.ts';

export interface RestartPorts {
  readonly events: Pick<EventStore, 'restart'>;
  readonly queue: EventQueue;
  readonly now: () => Date;
  readonly log: Pick<Log, 'error'>;
}

export interface RedeliverPorts extends RestartPorts {
  readonly settings: Pick<WebhookSettingsStore, 'find'>;
}

/**
 * Sends an event again, in a chain of attempts of its own, under the same id.
 * @throws Conflict while an attempt is under way, or where there is no address
 */
export async function redeliverEvent(event: WebhookEvent, ports: RedeliverPorts): Promise<WebhookEvent> {
  const settings = await ports.settings.find(event.workspace_id);
  if (addressOf(event, settings) === null) {
    throw new Conflict(
      'The event has no callback URL, and the default callback URL of its workspace is missing or disabled. Set the default callback URL first',
    );
  }
  const restarted = await restartEvent(event, ports);
  if (restarted === undefined) throw new Conflict('This event is being delivered; try again in a minute');
  return restarted;
}

/**
 * Commits first and sends then; after a crash in between the sweeper sends. Undefined while an attempt is under way.
 */
async function restartEvent(
  event: WebhookEvent,
  { events, queue, now, log }: RestartPorts,
): Promise<WebhookEvent | undefined> {
  const restarted = await events.restart(event, now());
  if (restarted === undefined) return undefined;
  await announceEvent(event, queue, log);
  return restarted;
}

/** As many as one request has time for. */
export const RECOVERED_AT_ONCE = 250;

interface RecoverPorts extends RedeliverPorts {
  readonly list: Pick<EventList, 'lost'>;
}

/**
 * Sends again what was lost since a moment and has an address now, oldest first. What has none stays lost, and the
 * cursor skips it.
 */
export async function recoverEvents(
  workspaceId: string,
  { since, cursor: after }: { readonly since: Date; readonly cursor?: string | undefined },
  ports: RecoverPorts,
): Promise<v.InferOutput<typeof recoveredSchema>> {
  const settings = await ports.settings.find(workspaceId);
  const { rows, cursor } = await ports.list.lost(workspaceId, since, after, RECOVERED_AT_ONCE);
  let recovered = 0;
  for (const event of rows) {
    if (addressOf(event, settings) === null) continue;
    if ((await restartEvent(event, ports)) !== undefined) recovered++;
  }
  return cursor === null ? { recovered, has_more: false } : { recovered, has_more: true, cursor };
}
