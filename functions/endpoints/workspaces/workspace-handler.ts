import { type LambdaHandler, routeHandler } from '../../deployed/gate.ts';
import { workspaceStore } from '../../deployed/stores.ts';
import type { AuthenticatedCall } from '../../http/call.ts';
import type { ApiResponse } from '../../http/response.ts';
import type { KeyedRoute, PathOf, RouteWith } from '../../http/routes.ts';
import { findWorkspace } from '../../workspaces/find-workspace.ts';
import type { StoredWorkspace } from '../../workspaces/workspace.ts';

type WorkspaceRoute = KeyedRoute & RouteWith<'workspace'>;

/** The handler of a route with a workspace in its path, by id or slug. The operation gets the workspace. */
export function workspaceHandler<const R extends WorkspaceRoute>(
  route: R,
  operation: (call: AuthenticatedCall<PathOf<R>>, workspace: StoredWorkspace) => Promise<ApiResponse>,
): LambdaHandler;
export function workspaceHandler(
  route: WorkspaceRoute,
  operation: (
    call: AuthenticatedCall<PathOf<WorkspaceRoute>>,
    workspace: StoredWorkspace,
  ) => Promise<ApiResponse>,
): LambdaHandler {
  const workspaces = workspaceStore();
  return routeHandler(route, async (call) =>
    operation(call, await findWorkspace(call.principal, workspaces, call.path.workspace)),
  );
}
