import type { LimitsChange } from '../money/limits.ts';
import { issueKey } from './key.ts';
import type { KeyLives } from './key-lives.ts';
import type { StoredKey } from './key-store.ts';

export interface RotationPorts {
  readonly lives: Pick<KeyLives, 'begin' | 'change'>;
  readonly now: Date;
  readonly random: (size: number) => Uint8Array;
  /** The limits of the old key. The new one gets the same; its counts begin at zero. */
  readonly money: LimitsChange;
}

/**
 * Makes a key with everything of the old one but its secret and its usage. The old one ends after `overlap`
 * milliseconds, or earlier if it was to end anyway. The new one is made first, so a failure in between leaves both
 * alive, never none.
 * @returns the new key in clear
 */
export async function rotateKey(old: StoredKey, overlap: number, ports: RotationPorts): Promise<string> {
  const { lives, now, random, money } = ports;
  const request = {
    kind: old.kind,
    name: old.name,
    workspaceId: old.workspace_id,
    creatorUserId: old.creator_user_id,
    externalUser: old.external_user,
    external: old.external ?? null,
    expiresAt: old.expires_at,
    rateLimits: old.rate_limits,
    guardrailId: old.guardrail_id,
  };
  const { key, stored } = issueKey(request, now, random);
  await lives.begin(stored, money);
  const end = new Date(now.getTime() + overlap).toISOString();
  const isSooner = old.expires_at === null || end < old.expires_at;
  await lives.change(
    old.hash,
    overlap === 0 ? { disabled: true } : { expires_at: isSooner ? end : old.expires_at },
    now,
  );
  return key;
}
