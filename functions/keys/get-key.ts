import * as v from 'valibot';
import { dynamo } from '../aws/dynamo.ts';
import { readEnvironment } from '../environment.ts';
import { routeHandler } from '../http/lambda.ts';
import { json } from '../http/response.ts';
import { describeKey } from './key.ts';
import { keyHash, keyNotFound } from './key-hash.ts';
import { KeyStore } from './key-store.ts';

const { KEYS_TABLE } = readEnvironment({ KEYS_TABLE: v.string() });
const keys = new KeyStore(dynamo, KEYS_TABLE);

export const handler = routeHandler('get-key', async (call) => {
  const key = await keys.find(keyHash(call));
  if (key === undefined) throw keyNotFound();
  return json(200, { data: describeKey(key) });
});
