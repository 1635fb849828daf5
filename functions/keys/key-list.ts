import { placeOf } from '../lists/blocks.ts';
import type { ListChange } from '../lists/list-store.ts';
import type { Listed } from '../lists/listed.ts';
import type { KeyStore, StoredKey } from './key-store.ts';

export const ENABLED = 'enabled';
const DISABLED = 'disabled';

type Rows = Pick<KeyStore, 'list' | 'read'>;

/** All keys, or those of a workspace, oldest first. */
export const keyList = (keys: Rows, workspaceId?: string): Listed<StoredKey> => ({
  list: workspaceId === undefined ? 'keys' : `keys/${workspaceId}`,
  all: () => keys.list({ workspaceId }),
  read: (hashes) => keys.read(hashes),
  idOf: ({ hash }) => hash,
  entryOf: (key) => ({ place: placeIn(key), kind: kindOf(key) }),
});

export const placeIn = ({ created_at, hash }: Pick<StoredKey, 'created_at' | 'hash'>) =>
  placeOf(created_at, hash);

const kindOf = ({ disabled }: Pick<StoredKey, 'disabled'>) => (disabled ? DISABLED : ENABLED);

/** The changes of a key's lists; without `after` the key leaves them. */
export const listings = (
  keys: Rows,
  key: StoredKey,
  after: Pick<StoredKey, 'disabled'> | undefined,
): ListChange[] =>
  [keyList(keys), keyList(keys, key.workspace_id)].map((listed) => ({
    listed,
    place: placeIn(key),
    kind: after && kindOf(after),
  }));
