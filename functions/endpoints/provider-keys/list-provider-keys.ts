import { routeHandler } from '../../gate/route-handler.ts';
import { query } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { describeProviderKey, providerKeyListQuery } from '../../provider-keys/provider-key.ts';
import { namedWorkspace } from '../../workspaces/acting-workspace.ts';
import { workspaceStore } from '../workspaces/deployed.ts';
import { providerKeyStore } from './deployed.ts';

const providerKeys = providerKeyStore();
const workspaces = workspaceStore();

/** Those of one workspace: the one that is named, or else the default one. */
export const handler = routeHandler('list-provider-keys', async (call) => {
  const { offset, limit, provider, workspace_id } = query(call, providerKeyListQuery);
  const workspaceId =
    workspace_id === undefined ? call.principal.workspaceId : await namedWorkspace(workspace_id, workspaces);
  const all = await Array.fromAsync(providerKeys.list(workspaceId));
  const wanted = all.filter((key) => provider === undefined || key.provider === provider);
  const page = wanted.slice(offset, offset + limit);
  return json(200, { data: page.map(describeProviderKey), total_count: wanted.length });
});
