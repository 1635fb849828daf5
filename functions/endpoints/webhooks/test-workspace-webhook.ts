import { systemClock } from '../../clock.ts';
import { extraDeliveries, redeliverPorts } from '../../deployed/webhooks.ts';
import { parseAllowedHosts } from '../../egress/url-policy.ts';
import { setting } from '../../environment.ts';
import { jsonBody } from '../../http/call.ts';
import { invalidField } from '../../http/errors.ts';
import { json } from '../../http/response.ts';
import { newId } from '../../ids.ts';
import { testEvent } from '../../webhooks/events/event.ts';
import { announceEvent } from '../../webhooks/events/event-queue.ts';
import { describeDelivery } from '../../webhooks/events/shown-delivery.ts';
import { checkedCallbackUrl } from '../../webhooks/settings/callback-url.ts';
import { addressOf } from '../../webhooks/settings/webhook-settings.ts';
import { webhookTestSchema } from '../../webhooks/webhook-requests.ts';
import { workspaceHandler } from '../workspaces/workspace-handler.ts';
import { routes } from './definition.ts';

const allowedHosts = parseAllowedHosts(setting('privateHosts'));
const { events, queue, settings } = redeliverPorts();
const takeShare = extraDeliveries('redeliver');

/** Delivered like any other event, signed and retried. */
export const handler = workspaceHandler(routes['test-workspace-webhook'], async (call, workspace) => {
  const { url } = jsonBody(call, webhookTestSchema);
  const checked = url === undefined ? undefined : checkedCallbackUrl(url, 'url', allowedHosts);
  const now = systemClock();
  const event = testEvent(newId.event(now), workspace.id, checked, now);
  if (addressOf(event, await settings.find(workspace.id)) === null) {
    throw invalidField(
      'url',
      'is required, because the default callback URL of the workspace is missing or disabled',
    );
  }
  await takeShare(workspace.id);
  await events.create(event);
  await announceEvent(event, queue, call.log);
  return json(202, { data: describeDelivery(event) });
});
