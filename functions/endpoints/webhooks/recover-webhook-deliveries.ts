import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { timestamp } from '../../http/timestamp.ts';
import { EventList } from '../../webhooks/events/event-list.ts';
import { recoverEvents } from '../../webhooks/events/recover-events.ts';
import { findWorkspace } from '../../workspaces/find-workspace.ts';
import { WorkspaceStore } from '../../workspaces/workspace-store.ts';
import { redeliverPorts } from './redeliver-ports.ts';

const environment = readEnvironment({ WORKSPACES_TABLE: v.string(), EVENTS_TABLE: v.string() });
const workspaces = new WorkspaceStore(dynamo, environment.WORKSPACES_TABLE);
const ports = { ...redeliverPorts, list: new EventList(dynamo, environment.EVENTS_TABLE) };

const bodySchema = v.object({ since: timestamp });

export const handler = routeHandler('recover-webhook-deliveries', async (call) => {
  const { since } = jsonBody(call, bodySchema);
  const workspace = await findWorkspace(workspaces, call.path.workspace ?? '');
  return json(202, { data: await recoverEvents(workspace.id, new Date(since), ports) });
});
