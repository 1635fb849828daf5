import { dynamo } from '../../aws/dynamo.ts';
import { routeHandler } from '../../gate/route-handler.ts';
import { removeGuardrail } from '../../guardrails/remove-guardrail.ts';
import { json } from '../../http/response.ts';
import { workspaceStore } from '../workspaces/deployed.ts';
import { guardrailStore } from './deployed.ts';

const ports = { client: dynamo, guardrails: guardrailStore(), workspaces: workspaceStore() };

export const handler = routeHandler('delete-guardrail', async ({ path }) => {
  await removeGuardrail(path.guardrail, ports);
  return json(200, { deleted: true });
});
