import { routeHandler } from '../../deployed/gate.ts';
import { guardrailStore, keyStore, listStore, workspaceStore } from '../../deployed/stores.ts';
import { listAssignments } from '../../guardrails/assign-keys.ts';
import { findGuardrail } from '../../guardrails/find-guardrail.ts';
import { query } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { offsetPage } from '../../http/validation.ts';
import { routes } from './definition.ts';

const ports = {
  guardrails: guardrailStore(),
  workspaces: workspaceStore(),
  lists: listStore(),
  keys: keyStore(),
};

export const handler = routeHandler(routes['list-assigned-keys'], async (call) => {
  const asked = query(call, offsetPage);
  const guardrail = await findGuardrail(call.principal, call.path.guardrail, ports);
  return json(200, await listAssignments(call.principal, guardrail, asked, ports));
});
