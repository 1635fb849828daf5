import { publicHandler } from '../../deployed/gate.ts';
import { shownModels } from '../../deployed/shown-models.ts';
import { FOR_A_MINUTE } from '../../http/headers.ts';
import { json } from '../../http/response.ts';
import { modelEndpoints, modelNamed } from '../../videos/catalogue/listed-model.ts';
import { routes } from './definition.ts';

const models = shownModels();

export const handler = publicHandler(routes['list-model-endpoints'], async ({ path }) =>
  json(200, { data: modelEndpoints(modelNamed(path, await models())) }, FOR_A_MINUTE),
);
