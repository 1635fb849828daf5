import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { batchHandler } from '../../aws/consume-batch.ts';
import { dynamo } from '../../aws/dynamo.ts';
import { SqsFairQueue } from '../../aws/fair-queue.ts';
import { kms } from '../../aws/kms.ts';
import { log } from '../../aws/logger.ts';
import { countWebhookAttempt } from '../../aws/metrics.ts';
import { sqs } from '../../aws/sqs.ts';
import { systemClock } from '../../clock.ts';
import { parseAllowedHosts } from '../../egress/allowed-hosts.ts';
import { createEgress } from '../../egress/egress-fetch.ts';
import { readEnvironment } from '../../environment.ts';
import { type DeliverPorts, deliverEvent } from '../../webhooks/delivery/deliver-event.ts';
import { deliverySigner } from '../../webhooks/delivery/delivery-signer.ts';
import { laneLimits } from '../../webhooks/delivery/lane-limits.ts';
import { LaneStore } from '../../webhooks/delivery/lane-store.ts';
import { postEvent } from '../../webhooks/delivery/post-event.ts';
import { StreakStore } from '../../webhooks/delivery/streak-store.ts';
import { type EventMessage, eventMessageSchema } from '../../webhooks/events/event-queue.ts';
import { EventStore } from '../../webhooks/events/event-store.ts';
import { kmsDerivation } from '../../webhooks/settings/derive-bytes.ts';
import { derivedSecrets } from '../../webhooks/settings/signing-secrets.ts';
import { WebhookSettingsStore } from '../../webhooks/settings/webhook-settings.ts';
import { wireNamesSchema } from '../../wire-names.ts';

/** What a receiver has for its answer, as the Standard Webhooks specification suggests. */
const RECEIVER_MILLISECONDS = 15_000;

const environment = readEnvironment({
  EVENTS_TABLE: v.string(),
  EVENTS_QUEUE_URL: v.string(),
  WEBHOOK_SETTINGS_TABLE: v.string(),
  HOSTS_TABLE: v.string(),
  /** How many of this function may run at once. */
  DELIVERERS: v.pipe(v.string(), v.transform(Number), v.integer(), v.minValue(1)),
  SIGNING_KEY_ID: v.string(),
  PRIVATE_HOSTS: v.string(),
  WIRE_NAMES: wireNamesSchema,
});
const derive = kmsDerivation(kms, environment.SIGNING_KEY_ID);
const egress = createEgress({
  allowed: parseAllowedHosts(environment.PRIVATE_HOSTS),
  deadlineMilliseconds: RECEIVER_MILLISECONDS,
});

const ports: DeliverPorts = {
  events: new EventStore(dynamo, environment.EVENTS_TABLE),
  settings: new WebhookSettingsStore(dynamo, environment.WEBHOOK_SETTINGS_TABLE),
  lanes: new LaneStore(dynamo, environment.HOSTS_TABLE, laneLimits(environment.DELIVERERS)),
  streaks: new StreakStore(dynamo, environment.HOSTS_TABLE),
  secrets: derivedSecrets(derive),
  queue: new SqsFairQueue<EventMessage>(sqs, environment.EVENTS_QUEUE_URL),
  post: async (url, event, secrets, requestId) => {
    const sign = await deliverySigner(secrets, derive, environment.WIRE_NAMES);
    return postEvent(url, event, sign, requestId, { fetch: egress, now: systemClock });
  },
  now: systemClock,
  random: Math.random,
  newRequestId: randomUUID,
  countAttempt: countWebhookAttempt,
  log,
};

export const handler = batchHandler(eventMessageSchema, log, (message) => deliverEvent(message, ports));
