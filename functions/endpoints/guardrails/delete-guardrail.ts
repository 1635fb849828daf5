import { noteChange } from '../../audit/changed-fields.ts';
import { dynamo } from '../../aws/dynamo.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { guardrailStore, keyStore, listStore, workspaceStore } from '../../deployed/stores.ts';
import { removeGuardrail } from '../../guardrails/change-guardrail.ts';
import { findGuardrail } from '../../guardrails/find-guardrail.ts';
import { AUDITED_OF_GUARDRAILS, describeGuardrail } from '../../guardrails/shown-guardrail.ts';
import { json } from '../../http/response.ts';
import { findNamingKey } from '../../keys/find-key.ts';
import { routes } from './definition.ts';

const lists = listStore();
const stored = { keys: keyStore(), lists };
const ports = {
  client: dynamo,
  guardrails: guardrailStore(),
  workspaces: workspaceStore(),
  lists,
  namingKey: (id: string, workspaceId: string) => findNamingKey(id, workspaceId, stored),
};

export const handler = routeHandler(routes['delete-guardrail'], async (call) => {
  const { path, principal } = call;
  const before = await findGuardrail(principal, path.guardrail, ports);
  await removeGuardrail(principal, path.guardrail, ports);
  noteChange(call, AUDITED_OF_GUARDRAILS, describeGuardrail(before), undefined);
  return json(200, { deleted: true });
});
