import { systemClock } from '../clock.ts';
import { jsonBody } from '../http/call.ts';
import { routeHandler } from '../http/lambda.ts';
import { json } from '../http/response.ts';
import { providerKeyStore } from './deployed-store.ts';
import { providerKeyId, providerKeyNotFound } from './find-provider-key.ts';
import { describeProviderKey, providerKeyChangeSchema } from './provider-key.ts';

const providerKeys = providerKeyStore();

export const handler = routeHandler('update-provider-key', async (call) => {
  const change = jsonBody(call, providerKeyChangeSchema);
  const key = await providerKeys.update(providerKeyId(call.path.id), change, systemClock());
  if (key === undefined) throw providerKeyNotFound();
  return json(200, { data: describeProviderKey(key) });
});
