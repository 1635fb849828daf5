import { describeCredits } from '../../credits/credits.ts';
import { routeHandler } from '../../gate/route-handler.ts';
import { json } from '../../http/response.ts';
import { CREDITS } from '../../money/account.ts';
import { accountStore } from './deployed.ts';

const accounts = accountStore();

export const handler = routeHandler('get-credits', async () =>
  json(200, { data: describeCredits(await accounts.readOne(CREDITS)) }),
);
