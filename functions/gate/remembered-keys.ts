import type { KeyReader, StoredKey } from '../keys/key-store.ts';

/** How long a warm function may accept a revoked key. What spends or stores reads the key's row again. */
const CACHE_MILLISECONDS = 5_000;
const CACHED_KEYS = 1_000;

/** Keys by hash. Live ones are remembered for a few seconds. */
export class RememberedKeys {
  readonly #keys: KeyReader;
  readonly #now: () => Date;
  readonly #cache = new Map<string, { key: StoredKey; until: number }>();

  constructor(keys: KeyReader, now: () => Date) {
    this.#keys = keys;
    this.#now = now;
  }

  async find(hash: string): Promise<StoredKey | undefined> {
    const cached = this.#cache.get(hash);
    if (cached !== undefined && cached.until > this.#now().getTime()) return cached.key;
    this.#cache.delete(hash);
    const key = await this.#keys.find(hash);
    // A dead key is read each time: it may be enabled again.
    if (key !== undefined && isLive(key, this.#now())) this.#remember(key);
    return key;
  }

  #remember(key: StoredKey): void {
    if (this.#cache.size >= CACHED_KEYS) this.#cache.clear();
    this.#cache.set(key.hash, { key, until: this.#now().getTime() + CACHE_MILLISECONDS });
  }
}

export function isLive(key: StoredKey, now: Date): boolean {
  return !key.disabled && (key.expires_at === null || new Date(key.expires_at) > now);
}
