import type { Log } from '../log.ts';
import type { WebhookEvent } from './event.ts';
import type { EventMessage, EventQueue } from './event-queue.ts';
import type { EventStore } from './event-store.ts';
import type { Outcome } from './post-event.ts';
import { nextDelay } from './retry-schedule.ts';
import type { SigningSecrets } from './signing-secrets.ts';
import type { WebhookSettingsStore } from './webhook-settings.ts';

export interface DeliverPorts {
  readonly events: Pick<EventStore, 'find' | 'record' | 'closeUndeliverable'>;
  readonly settings: Pick<WebhookSettingsStore, 'find'>;
  readonly secrets: Pick<SigningSecrets, 'active'>;
  readonly queue: EventQueue;
  readonly post: (url: string, event: WebhookEvent, secrets: readonly Uint8Array[]) => Promise<Outcome>;
  readonly now: () => Date;
  readonly random: () => number;
  readonly countAttempt: (outcome: string) => void;
  readonly log: Log;
}

/** A queue delays no longer; events that wait longer are found by the sweeper when they are due. */
const QUEUE_DELAY = 900;

/**
 * Makes one attempt at one event and arranges the next. At least once: a crash between the request and
 * its record repeats the attempt under the same `webhook-id`.
 */
export async function deliverEvent(message: EventMessage, ports: DeliverPorts): Promise<void> {
  const event = await ports.events.find(message.event_id);
  if (event === undefined || event.status !== 'pending' || message.attempt !== event.attempts + 1) return;
  const settings = await ports.settings.find(event.workspace_id);
  const url = event.callback_url ?? settings.default_callback_url;
  if (url === null) return ports.events.closeUndeliverable(event);

  const begun = ports.now();
  const outcome = await ports.post(
    url,
    event,
    await ports.secrets.active(event.workspace_id, settings, begun),
  );
  const ended = ports.now();
  const attempt = {
    at: begun.toISOString(),
    outcome: outcome.summary,
    milliseconds: ended.getTime() - begun.getTime(),
  };
  ports.countAttempt(outcome.summary);
  ports.log.info('webhook attempted', { event_id: event.id, attempt: message.attempt, ...attempt });
  if (outcome.delivered) return ports.events.record(event, attempt, { status: 'delivered' });

  const delay = nextDelay(message.attempt, outcome.retryAfterSeconds, ports.random);
  if (delay === undefined) return ports.events.record(event, attempt, { status: 'failed' });
  if (delay <= QUEUE_DELAY) {
    const next: EventMessage = { v: 1, event_id: event.id, attempt: message.attempt + 1 };
    await ports.queue.send(next, event.workspace_id, Math.ceil(delay));
  }
  await ports.events.record(event, attempt, { status: 'pending', dueAt: ended.getTime() + delay * 1000 });
}
