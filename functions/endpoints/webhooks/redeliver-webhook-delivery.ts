import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { NotFound } from '../../http/errors.ts';
import { json } from '../../http/response.ts';
import { describeDelivery } from '../../webhooks/events/delivery-view.ts';
import { EVENT_ID } from '../../webhooks/events/event.ts';
import { redeliverEvent } from '../../webhooks/events/redeliver-event.ts';
import { findWorkspace } from '../../workspaces/find-workspace.ts';
import { WorkspaceStore } from '../../workspaces/workspace-store.ts';
import { redeliverPorts } from './redeliver-ports.ts';

const { WORKSPACES_TABLE } = readEnvironment({ WORKSPACES_TABLE: v.string() });
const workspaces = new WorkspaceStore(dynamo, WORKSPACES_TABLE);

export const handler = routeHandler('redeliver-webhook-delivery', async (call) => {
  const workspace = await findWorkspace(workspaces, call.path.workspace ?? '');
  const id = call.path.delivery ?? '';
  const event = EVENT_ID.test(id) ? await redeliverPorts.events.find(id) : undefined;
  if (event?.workspace_id !== workspace.id) throw new NotFound('No such delivery');
  return json(202, { data: describeDelivery(await redeliverEvent(event, redeliverPorts)) });
});
