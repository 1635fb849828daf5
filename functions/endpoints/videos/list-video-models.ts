import { publicHandler } from '../../deployed/gate.ts';
import { shownModels } from '../../deployed/shown-models.ts';
import { FOR_A_MINUTE } from '../../http/headers.ts';
import { json } from '../../http/response.ts';
import { routes } from './definition.ts';

const models = shownModels();

export const handler = publicHandler(routes['list-video-models'], async () =>
  json(200, { data: await models() }, FOR_A_MINUTE),
);
