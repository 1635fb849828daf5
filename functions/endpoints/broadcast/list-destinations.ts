import { destinationListQuery } from '../../broadcast/destination.ts';
import { describeDestination } from '../../broadcast/shown-destination.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { destinationStore, workspaceStore } from '../../deployed/stores.ts';
import { query } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { findWorkspace } from '../../workspaces/find-workspace.ts';
import { routes } from './definition.ts';

const destinations = destinationStore();
const workspaces = workspaceStore();

export const handler = routeHandler(routes['list-destinations'], async (call) => {
  const { offset, limit, workspace_id: named } = query(call, destinationListQuery);
  const { id } = await findWorkspace(call.principal, workspaces, named ?? call.principal.workspaceId);
  const found = await destinations.find(id);
  const all = found === undefined ? [] : [describeDestination(found)];
  return json(200, { data: all.slice(offset, offset + limit), total_count: all.length });
});
