import { noteChange } from '../../audit/changed-fields.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { guardrailPorts, listStore } from '../../deployed/stores.ts';
import { changeGuardrail } from '../../guardrails/change-guardrail.ts';
import { findGuardrail } from '../../guardrails/find-guardrail.ts';
import { guardrailChangeSchema, withoutUnenforced } from '../../guardrails/guardrail.ts';
import { AUDITED_OF_GUARDRAILS, describeGuardrail } from '../../guardrails/shown-guardrail.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { routes } from './definition.ts';
import { namedRules } from './named-rules.ts';

const ports = { ...guardrailPorts(), lists: listStore() };
const checkNames = namedRules();

export const handler = routeHandler(routes['update-guardrail'], async (call) => {
  const change = withoutUnenforced(jsonBody(call, guardrailChangeSchema));
  await checkNames(change);
  const before = await findGuardrail(call.principal, call.path.guardrail, ports);
  const changed = describeGuardrail(
    await changeGuardrail(call.principal, call.path.guardrail, change, ports),
  );
  noteChange(call, AUDITED_OF_GUARDRAILS, describeGuardrail(before), changed);
  return json(200, { data: changed });
});
