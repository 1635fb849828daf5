import { extraDeliveries, redeliverPorts } from '../../deployed/webhooks.ts';
import { NotFound } from '../../http/errors.ts';
import { json } from '../../http/response.ts';
import { EVENT_ID } from '../../webhooks/events/event.ts';
import { redeliverEvent } from '../../webhooks/events/redeliver-event.ts';
import { describeDelivery } from '../../webhooks/events/shown-delivery.ts';
import { workspaceHandler } from '../workspaces/workspace-handler.ts';
import { routes } from './definition.ts';

const ports = redeliverPorts();
const takeShare = extraDeliveries('redeliver');

export const handler = workspaceHandler(routes['redeliver-webhook-delivery'], async ({ path }, workspace) => {
  const event = EVENT_ID.test(path.delivery) ? await ports.events.find(path.delivery) : undefined;
  if (event?.workspace_id !== workspace.id) throw new NotFound('No such delivery');
  await takeShare(workspace.id);
  return json(202, { data: describeDelivery(await redeliverEvent(event, ports)) });
});
