import { eventList, extraDeliveries, redeliverPorts } from '../../deployed/webhooks.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { recoverEvents } from '../../webhooks/events/redeliver-event.ts';
import { recoverySchema } from '../../webhooks/webhook-requests.ts';
import { workspaceHandler } from '../workspaces/workspace-handler.ts';
import { routes } from './definition.ts';

const ports = { ...redeliverPorts(), list: eventList() };
const takeShare = extraDeliveries('recover');

export const handler = workspaceHandler(routes['recover-webhook-deliveries'], async (call, workspace) => {
  const { since, cursor } = jsonBody(call, recoverySchema);
  await takeShare(workspace.id);
  const lost = { since: new Date(since), cursor: cursor ?? undefined };
  return json(202, { data: await recoverEvents(workspace.id, lost, ports) });
});
