import { noteChange } from '../../audit/changed-fields.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { assignPorts } from '../../deployed/stores.ts';
import { assignKeys } from '../../guardrails/assign-keys.ts';
import { assignedKeysSchema } from '../../guardrails/assignment.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { routes } from './definition.ts';

const ports = assignPorts();

export const handler = routeHandler(routes['assign-keys'], async (call) => {
  const { key_hashes: hashes } = jsonBody(call, assignedKeysSchema);
  const { guardrail: guardrailId } = call.path;
  const keys = await assignKeys(call.principal, { guardrailId, hashes }, ports);
  for (const { hash, guardrail_id } of keys) {
    const name = `guardrail_id of key ${hash}`;
    noteChange(call, [name], { [name]: guardrail_id }, { [name]: guardrailId });
  }
  return json(200, { assigned_count: keys.length });
});
