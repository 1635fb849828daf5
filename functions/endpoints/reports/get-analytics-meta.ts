import { routeHandler } from '../../deployed/gate.ts';
import { json } from '../../http/response.ts';
import { analyticsMeta } from '../../money/analytics.ts';
import { routes } from './definition.ts';

export const handler = routeHandler(routes['get-analytics-meta'], async () =>
  json(200, { data: analyticsMeta() }),
);
