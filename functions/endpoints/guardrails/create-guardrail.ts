import { randomUUID } from 'node:crypto';
import { noteChange } from '../../audit/changed-fields.ts';
import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { guardrailPorts, workspaceStore } from '../../deployed/stores.ts';
import { createGuardrail } from '../../guardrails/change-guardrail.ts';
import { newGuardrailSchema, withoutUnenforced } from '../../guardrails/guardrail.ts';
import { AUDITED_OF_GUARDRAILS, describeGuardrail } from '../../guardrails/shown-guardrail.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { namedWorkspace } from '../../workspaces/find-workspace.ts';
import { routes } from './definition.ts';
import { namedRules } from './named-rules.ts';

const ports = guardrailPorts();
const workspaces = workspaceStore();
const checkNames = namedRules();

/** A new guardrail does nothing until its workspace or a key names it. */
export const handler = routeHandler(routes['create-guardrail'], async (call) => {
  const requested = withoutUnenforced(jsonBody(call, newGuardrailSchema));
  const { workspace_id: named, limit_usd: limit_micros, ...rules } = requested;
  await checkNames(rules);
  const workspace_id = await namedWorkspace(call.principal, named, workspaces);
  const created_at = systemClock().toISOString();
  const beginning = { id: randomUUID(), workspace_id, created_at };
  const guardrail = { ...beginning, ...rules, limit_micros, updated_at: null, version: 0 };
  await createGuardrail(guardrail, ports);
  const location = `/api/v1/guardrails/${guardrail.id}`;
  const data = describeGuardrail(guardrail);
  noteChange(call, AUDITED_OF_GUARDRAILS, undefined, data);
  return json(201, { data }, { location });
});
