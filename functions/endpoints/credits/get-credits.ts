import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { accountStore } from '../../deployed/stores.ts';
import { json } from '../../http/response.ts';
import { describeCredits } from '../../money/credits.ts';
import { routes } from './definition.ts';

const accounts = accountStore();

export const handler = routeHandler(routes['get-credits'], async () =>
  json(200, { data: describeCredits(await accounts.leases.whole(systemClock())) }),
);
