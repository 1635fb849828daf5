import type { TransactItem } from '../aws/transact.ts';
import { emptyAccount, keyAccount } from '../money/account.ts';
import type { AccountStore } from '../money/account-store.ts';
import { limitsUpdate } from '../money/limits.ts';
import { issueKey } from './key.ts';
import type { KeyStore, StoredKey } from './key-store.ts';

export interface RotationPorts {
  readonly keys: Pick<KeyStore, 'create' | 'update'>;
  readonly now: Date;
  readonly random: (size: number) => Uint8Array;
  /** What gives the new key, by its hash, the old one's limit, in the transaction that makes it. */
  readonly copyLimit: (toHash: string) => Promise<readonly TransactItem[]>;
}

/**
 * A new key with everything of the old one but its secret and its usage. The old one ends after `overlap`
 * milliseconds, or when it was to end anyway. The new one is made first: what goes wrong in between leaves
 * both alive, never none.
 *
 * @returns the new key in clear
 */
export async function rotateKey(old: StoredKey, overlap: number, ports: RotationPorts): Promise<string> {
  const { keys, now, random, copyLimit } = ports;
  const request = {
    kind: old.kind,
    name: old.name,
    workspaceId: old.workspace_id,
    creatorUserId: old.creator_user_id,
    externalUser: old.external_user,
    expiresAt: old.expires_at,
    rateLimits: old.rate_limits,
  };
  const { key, stored } = issueKey(request, now, random);
  await keys.create(stored, await copyLimit(stored.hash));
  const end = new Date(now.getTime() + overlap).toISOString();
  const isSooner = old.expires_at === null || end < old.expires_at;
  await keys.update(
    old.hash,
    overlap === 0 ? { disabled: true } : { expires_at: isSooner ? end : old.expires_at },
    now,
  );
  return key;
}

/** Gives a key that does not exist yet the limit of another; its counts begin at zero. */
export async function copyLimit(
  accounts: Pick<AccountStore, 'readOne'>,
  accountsTable: string,
  fromHash: string,
  toHash: string,
): Promise<TransactItem[]> {
  const { limits, counts_byok: countsByok } = await accounts.readOne(keyAccount(fromHash));
  const update = limitsUpdate(emptyAccount(keyAccount(toHash)), { limits, countsByok });
  return [{ Update: { TableName: accountsTable, ...update } }];
}
