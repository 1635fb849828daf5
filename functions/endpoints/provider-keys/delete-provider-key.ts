import { noteChange } from '../../audit/changed-fields.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { listStore, providerKeyStore } from '../../deployed/stores.ts';
import { json } from '../../http/response.ts';
import { mayActIn } from '../../http/scope.ts';
import {
  findProviderKey,
  providerKeyId,
  providerKeyNotFound,
} from '../../provider-keys/find-provider-key.ts';
import type { StoredProviderKey } from '../../provider-keys/provider-key.ts';
import { AUDITED_OF_PROVIDER_KEYS } from '../../provider-keys/shown-provider-key.ts';
import { routes } from './definition.ts';

const providerKeys = providerKeyStore();
const lists = listStore();

export const handler = routeHandler(routes['delete-provider-key'], async (call) => {
  const { path, principal } = call;
  const isVisible = ({ workspace_id }: StoredProviderKey) => mayActIn(principal, workspace_id);
  const before = await findProviderKey(principal, providerKeys, path.id);
  const isRemoved = await providerKeys.remove(providerKeyId(path.id), lists, isVisible);
  if (!isRemoved) throw providerKeyNotFound();
  noteChange(call, AUDITED_OF_PROVIDER_KEYS, before, undefined);
  return json(200, { deleted: true });
});
