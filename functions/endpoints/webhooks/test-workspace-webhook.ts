import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { systemClock } from '../../clock.ts';
import { parseAllowedHosts } from '../../egress/allowed-hosts.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { jsonBody } from '../../http/call.ts';
import { InvalidRequest } from '../../http/errors.ts';
import { json } from '../../http/response.ts';
import { newId } from '../../ids.ts';
import { addressOf } from '../../webhooks/delivery/event-address.ts';
import { describeDelivery } from '../../webhooks/events/delivery-view.ts';
import { testEvent } from '../../webhooks/events/test-event.ts';
import { checkedCallbackUrl } from '../../webhooks/settings/callback-url.ts';
import { findWorkspace } from '../../workspaces/find-workspace.ts';
import { WorkspaceStore } from '../../workspaces/workspace-store.ts';
import { redeliverPorts } from './redeliver-ports.ts';

const environment = readEnvironment({ WORKSPACES_TABLE: v.string(), PRIVATE_HOSTS: v.string() });
const allowedHosts = parseAllowedHosts(environment.PRIVATE_HOSTS);
const workspaces = new WorkspaceStore(dynamo, environment.WORKSPACES_TABLE);
const { events, queue, settings } = redeliverPorts;

const bodySchema = v.object({ url: v.exactOptional(v.string('must be an https URL')) });

/** Delivered as any event is, signed and retried. */
export const handler = routeHandler('test-workspace-webhook', async (call) => {
  const { url } = jsonBody(call, bodySchema);
  const workspace = await findWorkspace(workspaces, call.path.workspace ?? '');
  const checked = url === undefined ? undefined : checkedCallbackUrl(url, 'url', allowedHosts);
  const now = systemClock();
  const event = testEvent(newId.event(now), workspace.id, checked, now);
  if (addressOf(event, await settings.find(workspace.id)) === null) {
    throw new InvalidRequest('url: is required where the workspace has no default callback URL', {
      metadata: { path: 'url' },
    });
  }
  await events.create(event);
  await queue.send({ v: 1, event_id: event.id, attempt: 1 }, workspace.id, 0);
  return json(202, { data: describeDelivery(event) });
});
