import { routeHandler } from '../../gate/lambda.ts';
import { json } from '../../http/response.ts';
import { findProviderKey } from '../../provider-keys/find-provider-key.ts';
import { describeProviderKey } from '../../provider-keys/provider-key.ts';
import { providerKeyStore } from './deployed-store.ts';

const providerKeys = providerKeyStore();

export const handler = routeHandler('get-provider-key', async (call) => {
  return json(200, { data: describeProviderKey(await findProviderKey(providerKeys, call.path.id)) });
});
