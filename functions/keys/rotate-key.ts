import { issueKey } from './key.ts';
import type { KeyStore, StoredKey } from './key-store.ts';

export interface RotationPorts {
  readonly keys: Pick<KeyStore, 'create' | 'update'>;
  readonly now: Date;
  readonly random: (size: number) => Uint8Array;
}

/**
 * A new key with everything of the old one but its secret. The old one ends after `overlap` milliseconds, or
 * when it was to end anyway. The new one is made first: what goes wrong in between leaves both alive, never
 * none.
 *
 * @returns the new key in clear
 */
export async function rotateKey(old: StoredKey, overlap: number, ports: RotationPorts): Promise<string> {
  const { keys, now, random } = ports;
  const request = {
    kind: old.kind,
    name: old.name,
    workspaceId: old.workspace_id,
    creatorUserId: old.creator_user_id,
    expiresAt: old.expires_at,
  };
  const { key, stored } = issueKey(request, now, random);
  await keys.create(stored);
  const end = new Date(now.getTime() + overlap).toISOString();
  const isSooner = old.expires_at === null || end < old.expires_at;
  await keys.update(
    old.hash,
    overlap === 0 ? { disabled: true } : { expires_at: isSooner ? end : old.expires_at },
    now,
  );
  return key;
}
