import { routeHandler } from '../../deployed/gate.ts';
import { guardrailPorts, listStore } from '../../deployed/stores.ts';
import { changeGuardrail } from '../../guardrails/change-guardrail.ts';
import { guardrailChangeSchema, withoutUnenforced } from '../../guardrails/guardrail.ts';
import { describeGuardrail } from '../../guardrails/shown-guardrail.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { routes } from './definition.ts';
import { namedRules } from './named-rules.ts';

const ports = { ...guardrailPorts(), lists: listStore() };
const checkNames = namedRules();

export const handler = routeHandler(routes['update-guardrail'], async (call) => {
  const change = withoutUnenforced(jsonBody(call, guardrailChangeSchema));
  await checkNames(change);
  const changed = await changeGuardrail(call.principal, call.path.guardrail, change, ports);
  return json(200, { data: describeGuardrail(changed) });
});
