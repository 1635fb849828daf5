import { routeHandler } from '../http/lambda.ts';
import { json } from '../http/response.ts';
import { providerKeyStore } from './deployed-store.ts';
import { providerKeyId, providerKeyNotFound } from './find-provider-key.ts';

const providerKeys = providerKeyStore();

export const handler = routeHandler('delete-provider-key', async (call) => {
  if (!(await providerKeys.remove(providerKeyId(call.path.id)))) throw providerKeyNotFound();
  return json(200, { deleted: true });
});
