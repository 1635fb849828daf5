import { publicHandler } from '../http/public-handler.ts';
import { json } from '../http/response.ts';
import { allModels } from './catalogue.ts';
import { describeModel } from './model-view.ts';

const CACHEABLE = { 'cache-control': 'public, max-age=60' };

export const handler = publicHandler(async () =>
  json(200, { data: allModels().map(describeModel) }, CACHEABLE),
);
