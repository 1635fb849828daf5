import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { systemClock } from '../../clock.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { json } from '../../http/response.ts';
import { readKeyReport } from '../../keys/key-report.ts';
import { describeCurrentKey } from '../../keys/key-view.ts';

const { KEYS_TABLE, ACCOUNTS_TABLE } = readEnvironment({
  KEYS_TABLE: v.string(),
  ACCOUNTS_TABLE: v.string(),
});
const tables = { keys: KEYS_TABLE, accounts: ACCOUNTS_TABLE };

export const handler = routeHandler('get-current-key', async (call) => {
  const { key, account } = await readKeyReport(dynamo, tables, call.principal.keyHash);
  return json(200, { data: describeCurrentKey(key, account, systemClock()) });
});
