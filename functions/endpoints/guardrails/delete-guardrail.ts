import { dynamo } from '../../aws/dynamo.ts';
import { routeHandler } from '../../gate/route-handler.ts';
import { removeGuardrail } from '../../guardrails/change-guardrail.ts';
import { json } from '../../http/response.ts';
import { findNamingKey } from '../../keys/find-key.ts';
import { keyStore } from '../keys/deployed.ts';
import { listStore } from '../lists/deployed.ts';
import { workspaceStore } from '../workspaces/deployed.ts';
import { routes } from './definition.ts';
import { guardrailStore } from './deployed.ts';

const stored = { keys: keyStore(), lists: listStore() };
const ports = {
  client: dynamo,
  guardrails: guardrailStore(),
  workspaces: workspaceStore(),
  namingKey: (id: string, workspaceId: string) => findNamingKey(id, workspaceId, stored),
};

export const handler = routeHandler(routes['delete-guardrail'], async ({ path }) => {
  await removeGuardrail(path.guardrail, ports);
  return json(200, { deleted: true });
});
