import QuickLRU from 'quick-lru';
import type { Log } from '../telemetry/log.ts';
import type { StoredKey } from './key-store.ts';

export interface KeyUseWriter {
  noteUse(hash: string, at: Date, unlessAfter: Date): Promise<void>;
}

/** How exact `last_used_at` is. A write for every request would cost more than the requests' own reads. */
const EXACTNESS_MILLISECONDS = 60_000;
const REMEMBERED_KEYS = 1_000;

/**
 * Notes when keys were last used, at most once a minute each. The write runs beside the request's own work, and only
 * the log hears of its failure.
 */
export class KeyUses {
  readonly #keys: KeyUseWriter;
  readonly #now: () => Date;
  readonly #log: Log;
  readonly #tried = new QuickLRU<string, number>({ maxSize: REMEMBERED_KEYS });
  readonly #writes = new Set<Promise<void>>();

  constructor(keys: KeyUseWriter, now: () => Date, log: Log) {
    this.#keys = keys;
    this.#now = now;
    this.#log = log;
  }

  record({ hash, last_used_at: stored }: StoredKey): void {
    const now = this.#now();
    const minuteAgo = now.getTime() - EXACTNESS_MILLISECONDS;
    const known = Math.max(this.#tried.get(hash) ?? 0, stored === null ? 0 : Date.parse(stored));
    if (known > minuteAgo) return;
    this.#tried.set(hash, now.getTime());
    const write = this.#keys
      .noteUse(hash, now, new Date(minuteAgo))
      .catch((error) => this.#log.warn('use of a key not noted', { key_hash: hash, error }))
      .finally(() => this.#writes.delete(write));
    this.#writes.add(write);
  }

  /** Settles when the writes begun so far have ended: between requests a Lambda stands still, and so would they. */
  async settled(): Promise<void> {
    await Promise.all(this.#writes);
  }
}
