import * as v from 'valibot';
import { dynamo } from '../aws/dynamo.ts';
import { systemClock } from '../clock.ts';
import { readEnvironment } from '../environment.ts';
import { jsonBody } from '../http/call.ts';
import { routeHandler } from '../http/lambda.ts';
import { json } from '../http/response.ts';
import { changeWorkspace } from './change-workspace.ts';
import { workspaceChangeSchema } from './workspace.ts';
import { WorkspaceStore } from './workspace-store.ts';
import { describeWorkspace } from './workspace-view.ts';

const { WORKSPACES_TABLE } = readEnvironment({ WORKSPACES_TABLE: v.string() });
const workspaces = new WorkspaceStore(dynamo, WORKSPACES_TABLE);

export const handler = routeHandler('update-workspace', async (call) => {
  const change = jsonBody(call, workspaceChangeSchema);
  const changed = await changeWorkspace(workspaces, call.path.workspace ?? '', change, systemClock);
  return json(200, { data: describeWorkspace(changed) });
});
