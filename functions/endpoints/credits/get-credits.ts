import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { describeCredits } from '../../credits/credits.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { json } from '../../http/response.ts';
import { CREDITS } from '../../money/account.ts';
import { AccountStore } from '../../money/account-store.ts';

const { ACCOUNTS_TABLE } = readEnvironment({ ACCOUNTS_TABLE: v.string() });
const accounts = new AccountStore(dynamo, ACCOUNTS_TABLE);

export const handler = routeHandler('get-credits', async () => {
  return json(200, { data: describeCredits(await accounts.readOne(CREDITS)) });
});
