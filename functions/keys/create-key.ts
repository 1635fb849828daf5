import { invalidField } from '../http/invalid-field.ts';
import { type Account, emptyAccount, keyAccount } from '../money/account.ts';
import { issueKey, type RequestedKey } from './key.ts';
import { changeKeyLimit } from './key-limit.ts';
import { type KeyLives, WorkspaceMissing } from './key-lives.ts';
import type { StoredKey } from './key-store.ts';
import { GuardrailMissing, noSuchGuardrail } from './named-guardrail.ts';

export interface CreateKeyPorts {
  readonly lives: Pick<KeyLives, 'begin'>;
  readonly now: () => Date;
  readonly random: (size: number) => Uint8Array;
}

/** @throws InvalidRequest */
export function assertInFuture(expiresAt: string | null | undefined, now: Date): void {
  if (expiresAt === null || expiresAt === undefined || Date.parse(expiresAt) > now.getTime()) return;
  throw invalidField('expires_at', 'must be in the future');
}

/**
 * Makes a key with its limit. Its workspace must exist and go on existing.
 * @param ownWorkspaceId used where the request names none
 * @returns the key, this once in clear
 * @throws InvalidRequest
 */
export async function createKey(
  requested: RequestedKey,
  ownWorkspaceId: string,
  { lives, now, random }: CreateKeyPorts,
): Promise<{ key: string; stored: StoredKey; account: Account }> {
  assertInFuture(requested.expires_at, now());
  const request = {
    kind: requested.management ? ('management' as const) : ('normal' as const),
    name: requested.name,
    workspaceId: requested.workspace_id?.toLowerCase() ?? ownWorkspaceId,
    creatorUserId: requested.creator_user_id,
    externalUser: requested.external_user ?? requested.external?.user ?? null,
    external: requested.external,
    expiresAt: requested.expires_at,
    rateLimits: requested.rate_limits,
    guardrailId: requested.guardrail_id,
  };
  const { key, stored } = issueKey(request, now(), random);
  const unlimited = emptyAccount(keyAccount(stored.hash));
  const { limits, countsByok } = changeKeyLimit(unlimited, requested, now());
  try {
    await lives.begin(stored, { limits, countsByok });
  } catch (cause) {
    if (cause instanceof GuardrailMissing) throw noSuchGuardrail(cause);
    if (!(cause instanceof WorkspaceMissing)) throw cause;
    throw invalidField('workspace_id', 'no such workspace', { cause });
  }
  return { key, stored, account: { ...unlimited, limits, counts_byok: countsByok } };
}
