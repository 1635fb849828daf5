import * as v from 'valibot';
import { dynamo } from '../aws/dynamo.ts';
import { readEnvironment } from '../environment.ts';
import { routeHandler } from '../http/lambda.ts';
import { json } from '../http/response.ts';
import { CREDITS } from '../money/account.ts';
import { AccountStore } from '../money/account-store.ts';
import { describeCredits } from './credits.ts';

const { ACCOUNTS_TABLE } = readEnvironment({ ACCOUNTS_TABLE: v.string() });
const accounts = new AccountStore(dynamo, ACCOUNTS_TABLE);

export const handler = routeHandler('get-credits', async () => {
  return json(200, { data: describeCredits(await accounts.readOne(CREDITS)) });
});
