import type { StoredProviderKey } from './provider-key.ts';

/** What a provider key is needed for; a key that is reserved for certain uses serves no other. */
export interface ProviderKeyUse {
  /** All names of what it is to run; the key must be for one of them. */
  readonly models?: readonly string[];
  readonly keyHash?: string;
  readonly userId?: string;
}

/** Fallbacks come last; then `sort_order` decides, then age: the oldest first. */
export function chooseKey(
  keys: readonly StoredProviderKey[],
  provider: string,
  use: ProviderKeyUse,
): StoredProviderKey | undefined {
  return keys
    .filter((key) => key.provider === provider && !key.disabled && allows(key, use))
    .sort(
      (a, b) =>
        Number(a.is_fallback) - Number(b.is_fallback) ||
        a.sort_order - b.sort_order ||
        a.created_at.localeCompare(b.created_at),
    )[0];
}

const allows = (key: StoredProviderKey, { models = [], keyHash, userId }: ProviderKeyUse): boolean =>
  isIn(key.allowed_models, ...models) &&
  isIn(key.allowed_api_key_hashes, keyHash) &&
  isIn(key.allowed_user_ids, userId);

const isIn = (list: readonly string[] | null, ...values: readonly (string | undefined)[]): boolean =>
  list === null || values.some((value) => value !== undefined && list.includes(value));
