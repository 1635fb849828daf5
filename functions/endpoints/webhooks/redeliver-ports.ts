import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { SqsFairQueue } from '../../aws/fair-queue.ts';
import { sqs } from '../../aws/sqs.ts';
import { systemClock } from '../../clock.ts';
import { readEnvironment } from '../../environment.ts';
import type { EventMessage } from '../../webhooks/events/event-queue.ts';
import { EventStore } from '../../webhooks/events/event-store.ts';
import { WebhookSettingsStore } from '../../webhooks/settings/webhook-settings.ts';

const environment = readEnvironment({
  EVENTS_TABLE: v.string(),
  EVENTS_QUEUE_URL: v.string(),
  WEBHOOK_SETTINGS_TABLE: v.string(),
});

/** What every function that sends an event again is given. */
export const redeliverPorts = {
  events: new EventStore(dynamo, environment.EVENTS_TABLE),
  settings: new WebhookSettingsStore(dynamo, environment.WEBHOOK_SETTINGS_TABLE),
  queue: new SqsFairQueue<EventMessage>(sqs, environment.EVENTS_QUEUE_URL),
  now: systemClock,
};
