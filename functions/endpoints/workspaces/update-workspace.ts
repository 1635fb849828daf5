import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { systemClock } from '../../clock.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { changeWorkspace } from '../../workspaces/change-workspace.ts';
import { workspaceChangeSchema } from '../../workspaces/workspace.ts';
import { WorkspaceStore } from '../../workspaces/workspace-store.ts';
import { describeWorkspace } from '../../workspaces/workspace-view.ts';

const { WORKSPACES_TABLE } = readEnvironment({ WORKSPACES_TABLE: v.string() });
const workspaces = new WorkspaceStore(dynamo, WORKSPACES_TABLE);

export const handler = routeHandler('update-workspace', async (call) => {
  const change = jsonBody(call, workspaceChangeSchema);
  const changed = await changeWorkspace(workspaces, call.path.workspace ?? '', change, systemClock);
  return json(200, { data: describeWorkspace(changed) });
});
