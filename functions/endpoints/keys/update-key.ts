import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { systemClock } from '../../clock.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { changeKey } from '../../keys/change-key.ts';
import { keyChangeSchema } from '../../keys/key.ts';
import { keyHash } from '../../keys/key-hash.ts';
import { readKeyReport } from '../../keys/key-report.ts';
import { describeKey } from '../../keys/key-view.ts';
import { refuseOwnEnd } from '../../keys/own-key.ts';
import { keyLives } from './deployed-lives.ts';

const { KEYS_TABLE, ACCOUNTS_TABLE } = readEnvironment({
  KEYS_TABLE: v.string(),
  ACCOUNTS_TABLE: v.string(),
});
const tables = { keys: KEYS_TABLE, accounts: ACCOUNTS_TABLE };
const lives = keyLives();

export const handler = routeHandler('update-key', async (call) => {
  const hash = keyHash(call);
  const change = jsonBody(call, keyChangeSchema);
  refuseOwnEnd(call.principal, hash, change, systemClock());
  await changeKey(hash, change, lives, systemClock());
  const { key, account } = await readKeyReport(dynamo, tables, hash);
  return json(200, { data: describeKey(key, account, systemClock()) });
});
