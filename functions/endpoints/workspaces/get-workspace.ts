import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { json } from '../../http/response.ts';
import { findWorkspace } from '../../workspaces/find-workspace.ts';
import { WorkspaceStore } from '../../workspaces/workspace-store.ts';
import { describeWorkspace } from '../../workspaces/workspace-view.ts';

const { WORKSPACES_TABLE } = readEnvironment({ WORKSPACES_TABLE: v.string() });
const workspaces = new WorkspaceStore(dynamo, WORKSPACES_TABLE);

export const handler = routeHandler('get-workspace', async (call) => {
  const workspace = await findWorkspace(workspaces, call.path.workspace ?? '');
  return json(200, { data: describeWorkspace(workspace) });
});
