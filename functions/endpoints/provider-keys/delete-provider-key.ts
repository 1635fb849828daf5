import { routeHandler } from '../../deployed/gate.ts';
import { listStore, providerKeyStore } from '../../deployed/stores.ts';
import { json } from '../../http/response.ts';
import { providerKeyId, providerKeyNotFound } from '../../provider-keys/find-provider-key.ts';
import { routes } from './definition.ts';

const providerKeys = providerKeyStore();
const lists = listStore();

export const handler = routeHandler(routes['delete-provider-key'], async ({ path }) => {
  if (!(await providerKeys.remove(providerKeyId(path.id), lists))) throw providerKeyNotFound();
  return json(200, { deleted: true });
});
