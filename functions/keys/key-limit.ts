import type { Account } from '../money/account.ts';
import { type LimitsChange, withLimit } from '../money/account-update.ts';
import type { Micros } from '../money/micros.ts';
import { INTERVALS, type Interval } from '../money/period.ts';

/**
 * A key has at most one limit, counted over the interval after which it resets; without a reset, over the key's
 * lifetime.
 */
export interface KeyLimit {
  readonly micros: Micros | null;
  readonly reset: Exclude<Interval, 'lifetime'> | null;
  readonly countsByok: boolean;
}

export function keyLimit({ limits, counts_byok: countsByok }: Account): KeyLimit {
  const interval = INTERVALS.find((each) => limits[each] !== undefined);
  if (interval === undefined) return { micros: null, reset: null, countsByok };
  return {
    micros: limits[interval]?.micros ?? null,
    reset: interval === 'lifetime' ? null : interval,
    countsByok,
  };
}

export interface KeyLimitChange {
  readonly limit?: Micros | null;
  readonly limit_reset?: KeyLimit['reset'];
  readonly include_byok_in_limit?: boolean;
}

/** The limit after a change. Fields that are absent from the change stay as they are. */
export function changeKeyLimit(account: Account, change: KeyLimitChange, now: Date): LimitsChange {
  const { limit, limit_reset, include_byok_in_limit } = change;
  const before = keyLimit(account);
  const micros = limit === undefined ? before.micros : limit;
  const reset = limit_reset === undefined ? before.reset : limit_reset;
  return {
    limits: withLimit({ ...account, limits: {} }, reset ?? 'lifetime', micros ?? undefined, now),
    countsByok: include_byok_in_limit ?? before.countsByok,
  };
}

export const isAboutLimit = (change: KeyLimitChange): boolean =>
  ['limit', 'limit_reset', 'include_byok_in_limit'].some((field) => field in change);
