import { noteChange } from '../../audit/changed-fields.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { listStore, providerKeyStore } from '../../deployed/stores.ts';
import { json } from '../../http/response.ts';
import { findProviderKey, providerKeyNotFound } from '../../provider-keys/find-provider-key.ts';
import { AUDITED_OF_PROVIDER_KEYS } from '../../provider-keys/shown-provider-key.ts';
import { routes } from './definition.ts';

const providerKeys = providerKeyStore();
const lists = listStore();

export const handler = routeHandler(routes['delete-provider-key'], async (call) => {
  const before = await findProviderKey(call.principal, providerKeys, call.path.id);
  const isRemoved = await providerKeys.remove(before.id, lists);
  if (!isRemoved) throw providerKeyNotFound();
  noteChange(call, AUDITED_OF_PROVIDER_KEYS, before, undefined);
  return json(200, { deleted: true });
});
