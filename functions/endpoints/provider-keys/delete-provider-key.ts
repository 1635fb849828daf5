import { routeHandler } from '../../gate/lambda.ts';
import { json } from '../../http/response.ts';
import { providerKeyId, providerKeyNotFound } from '../../provider-keys/find-provider-key.ts';
import { providerKeyStore } from './deployed-store.ts';

const providerKeys = providerKeyStore();

export const handler = routeHandler('delete-provider-key', async (call) => {
  if (!(await providerKeys.remove(providerKeyId(call.path.id)))) throw providerKeyNotFound();
  return json(200, { deleted: true });
});
