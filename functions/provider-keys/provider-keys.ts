import type { KMSClient } from '@aws-sdk/client-kms';
import QuickLRU from 'quick-lru';
import { chooseKey, type ProviderKeyUse } from './choose-key.ts';
import type { StoredProviderKey } from './provider-key.ts';
import type { ProviderKeyStore } from './provider-key-store.ts';
import { unseal } from './secret-box.ts';

export interface ProviderKeysPorts {
  readonly store: Pick<ProviderKeyStore, 'list'>;
  readonly kms: KMSClient;
  readonly kmsKeyId: string;
  readonly now: () => Date;
}

/** How long a warm function may still use a key that was disabled. */
const CACHE_MILLISECONDS = 30_000;
const CACHED_WORKSPACES = 200;

/** The workspaces' keys for providers, in clear, for the functions that call providers. */
export class ProviderKeys {
  readonly #ports: ProviderKeysPorts;
  readonly #rows = new QuickLRU<string, { keys: StoredProviderKey[]; until: number }>({
    maxSize: CACHED_WORKSPACES,
  });
  readonly #secrets = new QuickLRU<string, string>({ maxSize: CACHED_WORKSPACES });

  constructor(ports: ProviderKeysPorts) {
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
    const secret = await unseal(this.#ports.kms, this.#ports.kmsKeyId, key, key.ciphertext);
    this.#secrets.set(key.ciphertext, secret);
    return secret;
  }
}
