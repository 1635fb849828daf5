import { noteChange } from '../../audit/changed-fields.ts';
import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { guardrailStore, workspaceStore } from '../../deployed/stores.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { changeWorkspace } from '../../workspaces/change-workspace.ts';
import { findWorkspace } from '../../workspaces/find-workspace.ts';
import { AUDITED_OF_WORKSPACES, describeWorkspace } from '../../workspaces/shown-workspace.ts';
import { workspaceChangeSchema } from '../../workspaces/workspace.ts';
import { routes } from './definition.ts';

const ports = { workspaces: workspaceStore(), guardrails: guardrailStore(), now: systemClock };

export const handler = routeHandler(routes['update-workspace'], async (call) => {
  const change = jsonBody(call, workspaceChangeSchema);
  const before = await findWorkspace(call.principal, ports.workspaces, call.path.workspace);
  const changed = await changeWorkspace(call.principal, call.path.workspace, change, ports);
  noteChange(call, AUDITED_OF_WORKSPACES, before, changed);
  return json(200, { data: describeWorkspace(changed) });
});
