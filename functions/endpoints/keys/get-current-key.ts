import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { keyReports } from '../../deployed/stores.ts';
import { json } from '../../http/response.ts';
import { describeCurrentKey } from '../../keys/shown-key.ts';
import { routes } from './definition.ts';

const report = keyReports();

export const handler = routeHandler(routes['get-current-key'], async ({ principal }) => {
  const { key, account } = await report(principal.keyHash);
  return json(200, { data: describeCurrentKey(key, account, systemClock()) });
});
