import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { query } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { wholeNumber } from '../../http/validation.ts';
import { WorkspaceStore } from '../../workspaces/workspace-store.ts';
import { describeWorkspace } from '../../workspaces/workspace-view.ts';

const { WORKSPACES_TABLE } = readEnvironment({ WORKSPACES_TABLE: v.string() });
const workspaces = new WorkspaceStore(dynamo, WORKSPACES_TABLE);

export const handler = routeHandler('list-workspaces', async (call) => {
  const { offset, limit } = query(call, {
    offset: v.optional(wholeNumber(0, 1_000_000), '0'),
    limit: v.optional(wholeNumber(1, 100), '50'),
  });
  const all = await Array.fromAsync(workspaces.list());
  const page = all.slice(offset, offset + limit);
  return json(200, { data: page.map(describeWorkspace), total_count: all.length });
});
