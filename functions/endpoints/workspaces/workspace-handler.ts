import type { LambdaHandler } from '../../gate/lambda.ts';
import { routeHandler } from '../../gate/route-handler.ts';
import type { AuthenticatedCall } from '../../http/call.ts';
import type { ApiResponse } from '../../http/response.ts';
import type { KeyedRouteId, PathOf, RouteNaming } from '../../http/routes.ts';
import { findWorkspace } from '../../workspaces/find-workspace.ts';
import type { StoredWorkspace } from '../../workspaces/workspace.ts';
import { workspaceStore } from './deployed.ts';

/** The handler of a route with a workspace in its path, by id or slug. The operation gets the workspace. */
export function workspaceHandler<Id extends KeyedRouteId & RouteNaming<'workspace'>>(
  routeId: Id,
  operation: (call: AuthenticatedCall<PathOf<Id>>, workspace: StoredWorkspace) => Promise<ApiResponse>,
): LambdaHandler {
  const workspaces = workspaceStore();
  return routeHandler(routeId, async (call) =>
    operation(call, await findWorkspace(workspaces, call.path.workspace)),
  );
}
