import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { accountStore, keyStore, listStore, workspaceStore } from '../../deployed/stores.ts';
import { query } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { keyListQuery } from '../../keys/key-requests.ts';
import { maySee } from '../../keys/key-scope.ts';
import { ENABLED, keyList } from '../../keys/key-store.ts';
import { describeKey } from '../../keys/shown-key.ts';
import { readList } from '../../lists/list-store.ts';
import { emptyAccount, keyAccount } from '../../money/account.ts';
import { namedWorkspace } from '../../workspaces/find-workspace.ts';
import { routes } from './definition.ts';

/** The number of rows that one batch read of DynamoDB takes. */
const PAGE = 100;

const keys = keyStore();
const lists = listStore();
const workspaces = workspaceStore();
const accounts = accountStore();

export const handler = routeHandler(routes['list-keys'], async (call) => {
  const { principal } = call;
  const { offset, ...filter } = query(call, keyListQuery);
  const isOfAll = filter.workspace_id === undefined && principal.scope.workspaces === null;
  const workspaceId = isOfAll ? undefined : await namedWorkspace(principal, filter.workspace_id, workspaces);
  const kinds = filter.include_disabled === 'false' ? [ENABLED] : undefined;
  const { rows } = await readList(lists, keyList(keys, workspaceId), { offset, limit: PAGE, kinds });
  const page = rows.filter((key) => maySee(principal, key));
  const used = await accounts.read(page.map(({ hash }) => keyAccount(hash)));
  const now = systemClock();
  const data = page.map((key, index) => describeKey(key, used[index] ?? emptyAccount(key.hash), now));
  return json(200, { data });
});
