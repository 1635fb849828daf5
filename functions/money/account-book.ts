import QuickLRU from 'quick-lru';
import type { Account } from './account.ts';
import type { AccountStore } from './account-store.ts';

/**
 * Also how long the first grant of credits may go unnoticed. Every other change is noticed at once, because it refuses
 * the hold.
 */
const CACHE_MILLISECONDS = 30_000;
const CACHED_READS = 1_000;

export interface Reading {
  readonly accounts: readonly Account[];
  /** False where counts may have changed since. Limits and periods are checked again when money is held. */
  readonly isFresh: boolean;
}

/** Accounts as this function instance has last seen them, so that a submit on a warm instance needs no read. */
export class AccountBook {
  readonly #store: Pick<AccountStore, 'read'>;
  readonly #now: () => Date;
  readonly #cache = new QuickLRU<string, { accounts: readonly Account[]; until: number }>({
    maxSize: CACHED_READS,
  });

  constructor(store: Pick<AccountStore, 'read'>, now: () => Date) {
    this.#store = store;
    this.#now = now;
  }

  async look(ids: readonly string[]): Promise<Reading> {
    const cached = this.#cache.get(ids.join());
    if (cached !== undefined && cached.until > this.#now().getTime()) {
      return { accounts: cached.accounts, isFresh: false };
    }
    return this.read(ids);
  }

  async read(ids: readonly string[]): Promise<Reading> {
    const accounts = await this.#store.read(ids);
    this.#cache.set(ids.join(), { accounts, until: this.#now().getTime() + CACHE_MILLISECONDS });
    return { accounts, isFresh: true };
  }

  /**
   * Remembers the accounts as this instance has changed them. They are read again as soon as they would have been
   * anyway.
   */
  learn(ids: readonly string[], accounts: readonly Account[]): void {
    const cached = this.#cache.get(ids.join());
    if (cached !== undefined) this.#cache.set(ids.join(), { ...cached, accounts });
  }
}
