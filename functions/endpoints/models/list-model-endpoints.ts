import { publicHandler } from '../../deployed/gate.ts';
import { shownModels } from '../../deployed/shown-models.ts';
import { NotFound } from '../../http/errors.ts';
import { FOR_A_MINUTE } from '../../http/headers.ts';
import { json } from '../../http/response.ts';
import { modelEndpoints } from '../../videos/catalogue/listed-model.ts';
import { routes } from './definition.ts';

const models = shownModels();

export const handler = publicHandler(routes['list-model-endpoints'], async ({ path }) => {
  const model = (await models()).find(({ id }) => id === `${path.author}/${path.slug}`);
  if (model === undefined)
    throw new NotFound('No such model; GET /api/v1/models lists those that can be used');
  return json(200, { data: modelEndpoints(model) }, FOR_A_MINUTE);
});
