import { dynamo } from '../../aws/dynamo.ts';
import { type FairQueue, SqsFairQueue } from '../../aws/fair-queue.ts';
import { sqs } from '../../aws/sqs.ts';
import { systemClock } from '../../clock.ts';
import { setting } from '../../environment.ts';
import { OverdueRows } from '../../sweeping/sweep.ts';
import { SweptRows } from '../../sweeping/swept-rows.ts';
import { log } from '../../telemetry/logger.ts';
import { tellUnreadable } from '../../telemetry/tell-unreadable.ts';
import { EVENT_ROWS } from '../../webhooks/events/event.ts';
import { EventList } from '../../webhooks/events/event-list.ts';
import type { EventMessage } from '../../webhooks/events/event-queue.ts';
import { EventStore } from '../../webhooks/events/event-store.ts';
import { EventQuarantine } from '../../webhooks/events/sweep-event.ts';
import { WebhookSettingsStore } from '../../webhooks/settings/webhook-settings.ts';

export const eventStore = () => new EventStore(dynamo, setting('eventsTable'));
export const overdueEvents = () => new SweptRows(dynamo, setting('eventsTable'), EVENT_ROWS);
export const overdueEventRows = () => new OverdueRows(dynamo, setting('eventsTable'));
export const eventQuarantine = () => new EventQuarantine(dynamo, setting('eventsTable'));
export const eventList = () => new EventList(dynamo, setting('eventsTable'), tellUnreadable);
export const webhookSettings = () => new WebhookSettingsStore(dynamo, setting('webhookSettingsTable'));
export const eventQueue = (): FairQueue<EventMessage> => new SqsFairQueue(sqs, setting('eventsQueueUrl'));

/** What every function needs that sends an event again. */
export const redeliverPorts = () => ({
  events: eventStore(),
  settings: webhookSettings(),
  queue: eventQueue(),
  now: systemClock,
  log,
});
