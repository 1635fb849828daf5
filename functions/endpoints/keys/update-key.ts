import { noteChange } from '../../audit/changed-fields.ts';
import { systemClock } from '../../clock.ts';
import { defined } from '../../defined.ts';
import { needsApproval } from '../../deployed/approvals.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { keyLives, keyReports, keyStore, workspaceStore } from '../../deployed/stores.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { changeKey, refuseOwnEnd, refuseRevival } from '../../keys/change-key.ts';
import { checkedKeyHash } from '../../keys/find-key.ts';
import { keyChangeSchema } from '../../keys/key-requests.ts';
import { assertEndsInTime, assertInScope, assertMayManage } from '../../keys/key-scope.ts';
import { AUDITED_OF_KEYS, describeKey } from '../../keys/shown-key.ts';
import { namedWorkspace } from '../../workspaces/find-workspace.ts';
import { routes } from './definition.ts';

const report = keyReports();
const lives = keyLives();
const keys = keyStore();
const workspaces = workspaceStore();
const isApproved = needsApproval();
const find = (hash: string) => keys.find(hash);

export const handler = routeHandler(routes['update-key'], async (call) => {
  const hash = checkedKeyHash(call.path.hash);
  const { workspace_id: named, ...rest } = jsonBody(call, keyChangeSchema);
  refuseOwnEnd(call.principal, hash, rest);
  const foundIn = await assertMayManage(call.principal, hash, find);
  assertEndsInTime(call.principal, rest.expires_at);
  const workspace_id = named && (await namedWorkspace(call.principal, named, workspaces));
  const before = await shown(hash);
  if (isApproved && before.is_management_key) refuseRevival(rest);
  // A scope never changes, so it may be read before the change.
  if (workspace_id !== undefined) assertInScope(before.scope, workspace_id);
  await changeKey(hash, { ...rest, ...defined({ workspace_id }) }, lives, systemClock(), foundIn);
  const after = await shown(hash);
  noteChange(call, AUDITED_OF_KEYS, before, after);
  return json(200, { data: after });
});

async function shown(hash: string) {
  const { key, account } = await report(hash);
  return describeKey(key, account, systemClock());
}
