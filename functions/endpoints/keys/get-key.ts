import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { keyReports } from '../../deployed/stores.ts';
import { json } from '../../http/response.ts';
import { checkedKeyHash, keyNotFound } from '../../keys/find-key.ts';
import { maySee } from '../../keys/key-scope.ts';
import { describeKey } from '../../keys/shown-key.ts';
import { routes } from './definition.ts';

const report = keyReports();

export const handler = routeHandler(routes['get-key'], async ({ path, principal }) => {
  const { key, account } = await report(checkedKeyHash(path.hash));
  if (!maySee(principal, key)) throw keyNotFound();
  return json(200, { data: describeKey(key, account, systemClock()) });
});
