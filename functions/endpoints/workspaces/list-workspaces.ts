import { routeHandler } from '../../gate/route-handler.ts';
import { query } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { offsetPage } from '../../http/validation.ts';
import { describeWorkspace } from '../../workspaces/workspace-view.ts';
import { workspaceStore } from './deployed.ts';

const workspaces = workspaceStore();

export const handler = routeHandler('list-workspaces', async (call) => {
  const { offset, limit } = query(call, offsetPage);
  const all = await Array.fromAsync(workspaces.list());
  const page = all.slice(offset, offset + limit);
  return json(200, { data: page.map(describeWorkspace), total_count: all.length });
});
