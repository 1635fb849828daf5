import { dynamo } from '../../aws/dynamo.ts';
import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { shownModels } from '../../deployed/shown-models.ts';
import { guardrailStore, workspaceStore } from '../../deployed/stores.ts';
import { guardrailFor, readPolicy } from '../../guardrails/workspace-policy.ts';
import { query } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { ownModelsQuery, pageOfModels } from '../../videos/catalogue/model-choice.ts';
import { modelsWithin } from '../../videos/routing/narrow.ts';
import { routes } from './definition.ts';

const models = shownModels();
const stores = { client: dynamo, workspaces: workspaceStore(), guardrails: guardrailStore() };

export const handler = routeHandler(routes['list-own-models'], async (call) => {
  const asked = query(call, ownModelsQuery);
  const { workspaceId, guardrailId = null } = call.principal;
  const policy = await readPolicy(workspaceId, stores);
  const guardrail = policy && (await guardrailFor(guardrailId, policy, (id) => stores.guardrails.find(id)));
  const own = await models((all) => (guardrail === undefined ? all : modelsWithin(all, guardrail)));
  return json(200, pageOfModels(own, asked, call, systemClock()));
});
