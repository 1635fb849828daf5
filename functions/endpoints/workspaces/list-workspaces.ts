import { routeHandler } from '../../deployed/gate.ts';
import { listStore, workspaceStore } from '../../deployed/stores.ts';
import { query } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { offsetPage } from '../../http/validation.ts';
import { readList } from '../../lists/list-store.ts';
import { describeWorkspace } from '../../workspaces/shown-workspace.ts';
import type { StoredWorkspace } from '../../workspaces/workspace.ts';
import { workspaceList } from '../../workspaces/workspace-store.ts';
import { routes } from './definition.ts';

const workspaces = workspaceStore();
const lists = listStore();

/** Oldest first, as the list of all is. */
const byCreation = (a: StoredWorkspace, b: StoredWorkspace) => (a.created_at < b.created_at ? -1 : 1);

export const handler = routeHandler(routes['list-workspaces'], async (call) => {
  const { offset, limit } = query(call, offsetPage);
  const { workspaces: among } = call.principal.scope;
  if (among !== null) {
    const visible = (await workspaces.read(among)).sort(byCreation);
    const page = visible.slice(offset, offset + limit);
    return json(200, { data: page.map(describeWorkspace), total_count: visible.length });
  }
  const { rows, total } = await readList(lists, workspaceList(workspaces), { offset, limit });
  return json(200, { data: rows.map(describeWorkspace), total_count: total });
});
