import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { systemClock } from '../../clock.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { json } from '../../http/response.ts';
import { keyHash } from '../../keys/key-hash.ts';
import { readKeyReport } from '../../keys/key-report.ts';
import { describeKey } from '../../keys/key-view.ts';

const { KEYS_TABLE, ACCOUNTS_TABLE } = readEnvironment({
  KEYS_TABLE: v.string(),
  ACCOUNTS_TABLE: v.string(),
});
const tables = { keys: KEYS_TABLE, accounts: ACCOUNTS_TABLE };

export const handler = routeHandler('get-key', async (call) => {
  const { key, account } = await readKeyReport(dynamo, tables, keyHash(call));
  return json(200, { data: describeKey(key, account, systemClock()) });
});
