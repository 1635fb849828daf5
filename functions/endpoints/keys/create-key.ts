import { randomBytes } from 'node:crypto';
import { noteChange } from '../../audit/changed-fields.ts';
import { systemClock } from '../../clock.ts';
import { defined } from '../../defined.ts';
import { approvalAsker } from '../../deployed/approvals.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { keyLives, workspaceStore } from '../../deployed/stores.ts';
import { jsonBody, type Principal } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import type { Scope } from '../../http/scope.ts';
import { beginKey, makeKey } from '../../keys/create-key.ts';
import { newKeySchema } from '../../keys/key-requests.ts';
import { AUDITED_OF_KEYS, describeKey } from '../../keys/shown-key.ts';
import { namedWorkspace } from '../../workspaces/find-workspace.ts';
import { routes } from './definition.ts';

const workspaces = workspaceStore();
const lives = keyLives();
const ask = approvalAsker();

export const handler = routeHandler(routes['create-key'], async (call) => {
  const { principal } = call;
  const { workspace_id: named, scope: asked, ...rest } = jsonBody(call, newKeySchema);
  const scope = await withIds(asked, principal);
  const workspace_id = named && (await namedWorkspace(principal, named, workspaces));
  const requested = { ...rest, scope, ...defined({ workspace_id }) };
  const made = makeKey(requested, principal, systemClock(), randomBytes);
  const { key, stored, account } = made;
  // Its secret is stored nowhere: who asks has it, and it opens nothing before the approval.
  if (ask !== undefined && rest.management)
    return ask(call, { action: 'create-key', stored, account }, { key });
  const defaultedTo = scope.workspaces === null ? undefined : 'scope.workspaces.0';
  await beginKey(made, lives, { namedAt: named === undefined ? defaultedTo : 'workspace_id' });
  const data = describeKey(stored, account, systemClock());
  noteChange(call, AUDITED_OF_KEYS, undefined, data);
  return json(201, { data, key }, { location: `/api/v1/keys/${data.hash}` });
});

/** A slug may belong to another workspace later, an id never. */
async function withIds(scope: Scope, caller: Principal): Promise<Scope> {
  if (scope.workspaces === null) return scope;
  const ids = scope.workspaces.map((each, i) =>
    namedWorkspace(caller, each, workspaces, `scope.workspaces.${i}`),
  );
  return { ...scope, workspaces: await Promise.all(ids) };
}
