import { routeHandler } from '../../deployed/gate.ts';
import { listStore, providerKeyStore } from '../../deployed/stores.ts';
import { json } from '../../http/response.ts';
import { mayActIn } from '../../http/scope.ts';
import { providerKeyId, providerKeyNotFound } from '../../provider-keys/find-provider-key.ts';
import type { StoredProviderKey } from '../../provider-keys/provider-key.ts';
import { routes } from './definition.ts';

const providerKeys = providerKeyStore();
const lists = listStore();

export const handler = routeHandler(routes['delete-provider-key'], async ({ path, principal }) => {
  const isVisible = ({ workspace_id }: StoredProviderKey) => mayActIn(principal, workspace_id);
  const isRemoved = await providerKeys.remove(providerKeyId(path.id), lists, isVisible);
  if (!isRemoved) throw providerKeyNotFound();
  return json(200, { deleted: true });
});
