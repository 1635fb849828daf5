import { routeHandler } from '../../deployed/gate.ts';
import { listStore, providerKeyStore, workspaceStore } from '../../deployed/stores.ts';
import { query } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { readList } from '../../lists/list-store.ts';
import { providerKeyListQuery } from '../../provider-keys/provider-key.ts';
import { providerKeyList } from '../../provider-keys/provider-key-store.ts';
import { describeProviderKey } from '../../provider-keys/shown-provider-key.ts';
import { namedWorkspace } from '../../workspaces/find-workspace.ts';
import { routes } from './definition.ts';

const providerKeys = providerKeyStore();
const lists = listStore();
const workspaces = workspaceStore();

/** The keys of one workspace: the named one, or else the default one. */
export const handler = routeHandler(routes['list-provider-keys'], async (call) => {
  const { offset, limit, provider, workspace_id } = query(call, providerKeyListQuery);
  const workspaceId = await namedWorkspace(call.principal, workspace_id, workspaces);
  const kinds = provider === undefined ? undefined : [provider];
  const { rows, total } = await readList(lists, providerKeyList(providerKeys, workspaceId), {
    offset,
    limit,
    kinds,
  });
  return json(200, { data: rows.map(describeProviderKey), total_count: total });
});
