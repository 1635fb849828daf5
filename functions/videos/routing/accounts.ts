import type { Micros } from '../../money/micros.ts';
import type { StoredProviderKey } from '../../provider-keys/provider-key.ts';
import { chooseKey, type ProviderKeyUse } from '../../provider-keys/provider-secrets.ts';
import type { Offer } from '../catalogue/offer.ts';
import type { ProviderSettings } from '../providers/provider-settings.ts';

export const TURNS = ['first', 'usual', 'last', 'never'] as const;

/** An account at a provider that a job can run on. */
export interface ProviderAccount {
  /** By the workspace's own key. */
  readonly isByok: boolean;
  /** Whether it is tried before shared ones, with them, or after them; `never` if there is any other. */
  readonly turn: (typeof TURNS)[number];
}

/** One way to serve a request. */
export interface Candidate extends ProviderAccount {
  readonly offer: Offer;
  readonly estimateMicros: Micros;
}

export interface AccountsQuestion {
  readonly provider: string;
  readonly credential: ProviderSettings['credential'];
  /** The keys that the workspace has stored, for all providers. */
  readonly keys: readonly StoredProviderKey[];
  readonly use: ProviderKeyUse;
  /** The workspace's keys are those that the deployment shares. */
  readonly isSharer: boolean;
}

const SHARED: ProviderAccount = { isByok: false, turn: 'usual' };

/** There is no account without a key; but the caller is told so by the job's failure, not by the submit. */
const NO_KEY: ProviderAccount = { isByok: true, turn: 'never' };

/** The accounts at a provider on which a request may run; at least one. */
export function accountsAt({
  provider,
  credential,
  keys,
  use,
  isSharer,
}: AccountsQuestion): ProviderAccount[] {
  if (credential === 'none' || (credential === 'shared' && isSharer)) return [SHARED];
  const key = chooseKey(keys, provider, use);
  const own: ProviderAccount[] =
    key === undefined ? [] : [{ isByok: true, turn: key.is_fallback ? 'last' : 'first' }];
  const isShared = credential === 'shared' && !refusesShared(provider, keys, key);
  const accounts = [...own, ...(isShared ? [SHARED] : [])];
  return accounts.length === 0 ? [NO_KEY] : accounts;
}

/** `is_byok_only` concerns the whole provider, `is_required` only what its key is for. */
function refusesShared(
  provider: string,
  keys: readonly StoredProviderKey[],
  usable: StoredProviderKey | undefined,
): boolean {
  const isOwnOnly = keys.some((key) => key.provider === provider && !key.disabled && key.is_byok_only);
  return isOwnOnly || usable?.is_required === true;
}
