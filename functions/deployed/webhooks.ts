import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { kmsDerivation } from '../aws/derive-bytes.ts';
import { dynamo } from '../aws/dynamo.ts';
import { type FairQueue, SqsFairQueue } from '../aws/fair-queue.ts';
import { kms } from '../aws/kms.ts';
import { insistently } from '../aws/retry.ts';
import { sqs } from '../aws/sqs.ts';
import { type BroadcastPorts, broadcastEnd, isTrace, traceDestinations } from '../broadcast/trace.ts';
import { systemClock } from '../clock.ts';
import { setting } from '../environment.ts';
import { EXTRA_DELIVERIES, workersVariable } from '../fair-shares.ts';
import { wireNamesSchema } from '../http/compatibility.ts';
import { OverdueRows } from '../sweeping/sweep.ts';
import { SweptRows } from '../sweeping/swept-rows.ts';
import { log } from '../telemetry/logger.ts';
import { countTrace, countWebhookAttempt, tellUnreadable } from '../telemetry/metrics.ts';
import { type DeliverPorts, insistentPorts } from '../webhooks/delivery/deliver-event.ts';
import { KnownHosts, StreakStore } from '../webhooks/delivery/host-health.ts';
import { LaneStore, laneLimits } from '../webhooks/delivery/lane-store.ts';
import { postEvent } from '../webhooks/delivery/post-event.ts';
import { type DestinationOf, webhookDestinations } from '../webhooks/delivery/webhook-destination.ts';
import { EVENT_ROWS } from '../webhooks/events/event.ts';
import { EventList } from '../webhooks/events/event-list.ts';
import type { EventMessage } from '../webhooks/events/event-queue.ts';
import { EventStore } from '../webhooks/events/event-store.ts';
import { EventQuarantine } from '../webhooks/events/sweep-event.ts';
import { WebhookSettingsStore } from '../webhooks/settings/webhook-settings.ts';
import { deliverySigner, derivedSecrets } from '../webhooks/signature.ts';
import { deployedEgress } from './egress.ts';
import { rateLimiter } from './gate.ts';
import { postSpanPorts } from './secrets.ts';
import { destinationStore, workspaceStore } from './stores.ts';

export const eventStore = () => new EventStore(dynamo, setting('eventsTable'));
export const overdueEvents = () => new SweptRows(dynamo, setting('eventsTable'), EVENT_ROWS);
export const overdueEventRows = () => new OverdueRows(dynamo, setting('eventsTable'));
export const eventQuarantine = () => new EventQuarantine(dynamo, setting('eventsTable'));
export const eventList = () => new EventList(dynamo, setting('eventsTable'), tellUnreadable);
export const webhookSettings = () => new WebhookSettingsStore(dynamo, setting('webhookSettingsTable'));
export const knownHosts = () => new KnownHosts(dynamo, setting('hostsTable'));
export const eventQueue = (): FairQueue<EventMessage> => new SqsFairQueue(sqs, setting('eventsQueueUrl'));

/** What every function needs that sends an event again. */
export const redeliverPorts = () => ({
  events: eventStore(),
  settings: webhookSettings(),
  queue: eventQueue(),
  now: systemClock,
  log,
});

/**
 * Takes from a workspace's allowance of deliveries beyond those of its jobs.
 * @throws RateLimited
 */
export function extraDeliveries(what: keyof typeof EXTRA_DELIVERIES): (workspaceId: string) => Promise<void> {
  const limiter = rateLimiter();
  return (workspaceId) => limiter.takeOfWorkspace(workspaceId, what, EXTRA_DELIVERIES[what]);
}

/** How long a receiver may take to answer, as the Standard Webhooks specification suggests. */
const RECEIVER_MILLISECONDS = 15_000;

/** What the deliverer of events and traces works with, over the deployment's stores. */
export function deliverPorts(): DeliverPorts {
  const limits = laneLimits(setting('deliverers', workersVariable));
  const events = eventStore();
  const queue = eventQueue();
  const workspaces = workspaceStore();
  const broadcasting: BroadcastPorts = {
    isWanted: (workspaceId) => workspaces.wantsBroadcasts(workspaceId),
    events,
    queue,
    now: systemClock,
  };
  const ports: DeliverPorts = {
    events,
    destinationOf: destinations(),
    broadcast: (event) => broadcastEnd(event, broadcasting),
    lanes: new LaneStore(dynamo, setting('hostsTable'), limits),
    streaks: new StreakStore(dynamo, setting('hostsTable')),
    queue,
    now: systemClock,
    random: Math.random,
    newRequestId: randomUUID,
    log,
  };
  return insistentPorts(ports, pause);
}

function destinations(): DestinationOf {
  const fetch = deployedEgress(RECEIVER_MILLISECONDS);
  const wireNames = setting('wireNames', wireNamesSchema);
  const derive = insistently(pause)(kmsDerivation(kms, setting('signingKeyId')));
  const ofWebhook = webhookDestinations({
    settings: webhookSettings(),
    secrets: derivedSecrets(derive),
    post: async (url, event, secrets, requestId) => {
      const sign = await deliverySigner(secrets, derive, wireNames);
      return postEvent(url, event, sign, requestId, { fetch, now: systemClock });
    },
    now: systemClock,
    countAttempt: countWebhookAttempt,
    log,
  });
  const sending = postSpanPorts(fetch);
  const ofTrace = traceDestinations({ ...sending, destinations: destinationStore(), countTrace, log });
  return (event) => (isTrace(event) ? ofTrace(event) : ofWebhook(event));
}
