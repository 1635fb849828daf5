import { placeOf } from '../lists/blocks.ts';
import type { ListChange } from '../lists/list-store.ts';
import type { Listed } from '../lists/listed.ts';
import type { StoredProviderKey } from './provider-key.ts';
import type { ProviderKeyStore } from './provider-key-store.ts';

type Rows = Pick<ProviderKeyStore, 'list' | 'read'>;

/** The keys of a workspace, oldest first. The kind of an entry is its provider. */
export const providerKeyList = (keys: Rows, workspaceId: string): Listed<StoredProviderKey> => ({
  list: `provider-keys/${workspaceId}`,
  all: () => keys.list(workspaceId),
  read: (ids) => keys.read(ids),
  idOf: ({ id }) => id,
  entryOf: (key) => ({ place: placeIn(key), kind: key.provider }),
});

const placeIn = ({ created_at, id }: StoredProviderKey) => placeOf(created_at, id);

export const listing = (keys: Rows, key: StoredProviderKey): ListChange => ({
  listed: providerKeyList(keys, key.workspace_id),
  place: placeIn(key),
  kind: key.provider,
});

export const unlisting = (keys: Rows, key: StoredProviderKey): ListChange => ({
  ...listing(keys, key),
  kind: undefined,
});
