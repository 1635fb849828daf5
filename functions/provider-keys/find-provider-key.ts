import { NotFound } from '../http/errors.ts';
import { type Caller, mayActIn } from '../http/scope.ts';
import type { StoredProviderKey } from './provider-key.ts';
import type { ProviderKeyStore } from './provider-key-store.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const providerKeyNotFound = () => new NotFound('No such provider key');

/** The id of a key in a path. Text that cannot be an id is not found, without a read. */
export function providerKeyId(id: string): string {
  if (!UUID.test(id)) throw providerKeyNotFound();
  return id;
}

export async function findProviderKey(
  caller: Caller,
  store: Pick<ProviderKeyStore, 'find'>,
  id: string,
): Promise<StoredProviderKey> {
  const key = await store.find(providerKeyId(id));
  if (key === undefined || !mayActIn(caller, key.workspace_id)) throw providerKeyNotFound();
  return key;
}
