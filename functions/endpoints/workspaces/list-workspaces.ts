import * as v from 'valibot';
import { routeHandler } from '../../gate/route-handler.ts';
import { query } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { wholeNumber } from '../../http/validation.ts';
import { describeWorkspace } from '../../workspaces/workspace-view.ts';
import { workspaceStore } from './deployed.ts';

const workspaces = workspaceStore();

export const handler = routeHandler('list-workspaces', async (call) => {
  const { offset, limit } = query(call, {
    offset: v.optional(wholeNumber(0, 1_000_000), '0'),
    limit: v.optional(wholeNumber(1, 100), '50'),
  });
  const all = await Array.fromAsync(workspaces.list());
  const page = all.slice(offset, offset + limit);
  return json(200, { data: page.map(describeWorkspace), total_count: all.length });
});
