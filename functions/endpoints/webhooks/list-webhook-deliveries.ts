import { eventList, eventStore } from '../../deployed/webhooks.ts';
import { query } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { listDeliveries } from '../../webhooks/events/event-list.ts';
import { describeDelivery } from '../../webhooks/events/shown-delivery.ts';
import { deliveryListQuery } from '../../webhooks/webhook-requests.ts';
import { workspaceHandler } from '../workspaces/workspace-handler.ts';
import { routes } from './definition.ts';

const ports = { list: eventList(), events: eventStore() };

export const handler = workspaceHandler(routes['list-webhook-deliveries'], async (call, workspace) => {
  const page = await listDeliveries(workspace.id, query(call, deliveryListQuery), ports);
  return json(200, {
    data: page.rows.map(describeDelivery),
    has_more: page.cursor !== null,
    cursor: page.cursor,
  });
});
