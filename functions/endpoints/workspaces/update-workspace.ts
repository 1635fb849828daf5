import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../gate/route-handler.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { changeWorkspace } from '../../workspaces/change-workspace.ts';
import { workspaceChangeSchema } from '../../workspaces/workspace.ts';
import { describeWorkspace } from '../../workspaces/workspace-view.ts';
import { workspaceStore } from './deployed.ts';

const workspaces = workspaceStore();

export const handler = routeHandler('update-workspace', async (call) => {
  const change = jsonBody(call, workspaceChangeSchema);
  const changed = await changeWorkspace(workspaces, call.path.workspace, change, systemClock);
  return json(200, { data: describeWorkspace(changed) });
});
