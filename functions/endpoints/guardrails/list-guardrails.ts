import { routeHandler } from '../../deployed/gate.ts';
import { guardrailStore, workspaceStore } from '../../deployed/stores.ts';
import { listGuardrails } from '../../guardrails/find-guardrail.ts';
import { guardrailListQuery } from '../../guardrails/guardrail.ts';
import { describeGuardrail } from '../../guardrails/shown-guardrail.ts';
import { query } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { findWorkspace } from '../../workspaces/find-workspace.ts';
import { routes } from './definition.ts';

const guardrails = guardrailStore();
const workspaces = workspaceStore();

/** The guardrails of one workspace: the named one, or else the default one. */
export const handler = routeHandler(routes['list-guardrails'], async (call) => {
  const { offset, limit, workspace_id: named } = query(call, guardrailListQuery);
  const workspace = await findWorkspace(call.principal, workspaces, named ?? call.principal.workspaceId);
  const all = await listGuardrails(workspace, guardrails);
  const page = all.slice(offset, offset + limit);
  return json(200, { data: page.map(describeGuardrail), total_count: all.length });
});
