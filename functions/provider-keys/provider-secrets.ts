import type { KMSClient } from '@aws-sdk/client-kms';
import QuickLRU from 'quick-lru';
import type { StoredProviderKey } from './provider-key.ts';
import type { ProviderKeyStore } from './provider-key-store.ts';
import { unsealSecret } from './secret-box.ts';

interface ProviderSecretsPorts {
  readonly store: Pick<ProviderKeyStore, 'list'>;
  readonly kms: KMSClient;
  readonly kmsKeyId: string;
  readonly now: () => Date;
}

/** How long a warm function may still use a key that was changed, disabled or deleted. */
const CACHE_MILLISECONDS = 30_000;
const CACHED_WORKSPACES = 200;

/** The workspaces' keys for providers, in clear, for the functions that call providers. */
export class ProviderSecrets {
  readonly #ports: ProviderSecretsPorts;
  readonly #rows = new QuickLRU<string, { keys: StoredProviderKey[]; until: number }>({
    maxSize: CACHED_WORKSPACES,
  });
  readonly #secrets = new QuickLRU<string, string>({ maxSize: CACHED_WORKSPACES });

  constructor(ports: ProviderSecretsPorts) {
    this.#ports = ports;
  }

  /** The secret of the first usable key; undefined where the workspace has none. */
  async find(workspaceId: string, provider: string, use: ProviderKeyUse = {}): Promise<string | undefined> {
    // A key works as soon as it is stored: that there is none is never cached.
    const chosen =
      chooseKey(this.#remembered(workspaceId), provider, use) ??
      chooseKey(await this.#list(workspaceId), provider, use);
    return chosen === undefined ? undefined : this.#secretOf(chosen);
  }

  #remembered(workspaceId: string): readonly StoredProviderKey[] {
    const cached = this.#rows.get(workspaceId);
    return cached !== undefined && cached.until > this.#ports.now().getTime() ? cached.keys : [];
  }

  async #list(workspaceId: string): Promise<StoredProviderKey[]> {
    const { store, now } = this.#ports;
    const keys = await Array.fromAsync(store.list(workspaceId));
    this.#rows.set(workspaceId, { keys, until: now().getTime() + CACHE_MILLISECONDS });
    return keys;
  }

  /** Cached by ciphertext, because a change may put another secret behind the same id. */
  async #secretOf(key: StoredProviderKey): Promise<string> {
    const known = this.#secrets.get(key.ciphertext);
    if (known !== undefined) return known;
    const secret = await unsealSecret(this.#ports.kms, this.#ports.kmsKeyId, key, key.ciphertext);
    this.#secrets.set(key.ciphertext, secret);
    return secret;
  }
}

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
