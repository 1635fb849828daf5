import { systemClock } from '../../clock.ts';
import { publicHandler } from '../../deployed/gate.ts';
import { shownModels } from '../../deployed/shown-models.ts';
import { query } from '../../http/call.ts';
import { FOR_A_MINUTE } from '../../http/headers.ts';
import { json } from '../../http/response.ts';
import { modelListQuery, pageOfModels } from '../../videos/catalogue/model-choice.ts';
import { routes } from './definition.ts';

const models = shownModels();

export const handler = publicHandler(routes['list-models'], async (call) => {
  const asked = query(call, modelListQuery);
  return json(200, pageOfModels(await models(), asked, call, systemClock()), FOR_A_MINUTE);
});
