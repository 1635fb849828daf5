import * as v from 'valibot';
import { dynamo } from '../aws/dynamo.ts';
import { systemClock } from '../clock.ts';
import { readEnvironment } from '../environment.ts';
import { jsonBody } from '../http/call.ts';
import { routeHandler } from '../http/lambda.ts';
import { json } from '../http/response.ts';
import { describeKey, keyChangeSchema } from './key.ts';
import { keyHash, keyNotFound } from './key-hash.ts';
import { KeyStore } from './key-store.ts';
import { refuseOwnEnd } from './own-key.ts';

const { KEYS_TABLE } = readEnvironment({ KEYS_TABLE: v.string() });
const keys = new KeyStore(dynamo, KEYS_TABLE);

export const handler = routeHandler('update-key', async (call) => {
  const change = jsonBody(call, keyChangeSchema);
  const hash = keyHash(call);
  const now = systemClock();
  refuseOwnEnd(call.principal, hash, change, now);
  const key = await keys.update(hash, change, now);
  if (key === undefined) throw keyNotFound();
  return json(200, { data: describeKey(key) });
});
