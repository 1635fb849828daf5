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

/** How long a key that was disabled may still be used by a warm function. */
const CACHE_MILLISECONDS = 30_000;
const CACHED_WORKSPACES = 200;

/** The keys that workspaces have stored for providers, in clear, for the functions that call these. */
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
    // A key that has just been stored works at once: that there is none is never taken from memory.
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

  /** By its ciphertext: the secret behind an id may be another after a change. */
  async #secretOf(key: StoredProviderKey): Promise<string> {
    const known = this.#secrets.get(key.ciphertext);
    if (known !== undefined) return known;
    const secret = await unseal(this.#ports.kms, this.#ports.kmsKeyId, key, key.ciphertext);
    this.#secrets.set(key.ciphertext, secret);
    return secret;
  }
}
