import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { dynamo } from '../aws/dynamo.ts';
import { systemClock } from '../clock.ts';
import { readEnvironment } from '../environment.ts';
import { jsonBody } from '../http/call.ts';
import { routeHandler } from '../http/lambda.ts';
import { json } from '../http/response.ts';
import { createWorkspace, newWorkspaceSchema } from './workspace.ts';
import { WorkspaceStore } from './workspace-store.ts';

const { WORKSPACES_TABLE } = readEnvironment({ WORKSPACES_TABLE: v.string() });
const workspaces = new WorkspaceStore(dynamo, WORKSPACES_TABLE);

export const handler = routeHandler('create-workspace', async (call) => {
  const requested = jsonBody(call, newWorkspaceSchema);
  const workspace = createWorkspace(requested, {
    id: randomUUID(),
    createdBy: call.principal.creator,
    now: systemClock(),
  });
  await workspaces.create(workspace);
  return json(201, { data: workspace }, { location: `/api/v1/workspaces/${workspace.id}` });
});
