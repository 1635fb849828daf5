import { json } from '../../http/response.ts';
import { describeWorkspace } from '../../workspaces/shown-workspace.ts';
import { routes } from './definition.ts';
import { workspaceHandler } from './workspace-handler.ts';

export const handler = workspaceHandler(routes['get-workspace'], async (_call, workspace) =>
  json(200, { data: describeWorkspace(workspace) }),
);
