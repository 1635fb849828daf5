import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { json } from '../../http/response.ts';
import { keyHash, keyNotFound } from '../../keys/key-hash.ts';
import { KeyStore } from '../../keys/key-store.ts';
import { refuseOwnDeletion } from '../../keys/own-key.ts';

const { KEYS_TABLE } = readEnvironment({ KEYS_TABLE: v.string() });
const keys = new KeyStore(dynamo, KEYS_TABLE);

export const handler = routeHandler('delete-key', async (call) => {
  const hash = keyHash(call);
  refuseOwnDeletion(call.principal, hash);
  if (!(await keys.remove(hash))) throw keyNotFound();
  return json(200, { deleted: true });
});
