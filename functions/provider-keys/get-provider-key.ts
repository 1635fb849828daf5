import { routeHandler } from '../http/lambda.ts';
import { json } from '../http/response.ts';
import { providerKeyStore } from './deployed-store.ts';
import { findProviderKey } from './find-provider-key.ts';
import { describeProviderKey } from './provider-key.ts';

const providerKeys = providerKeyStore();

export const handler = routeHandler('get-provider-key', async (call) => {
  return json(200, { data: describeProviderKey(await findProviderKey(providerKeys, call.path.id)) });
});
