import { type Account, currentCount } from '../money/account.ts';
import { microsToUsd, roomIn } from '../money/micros.ts';
import type { Interval } from '../money/period.ts';
import { keyLimit } from './key-limit.ts';
import type { StoredKey } from './key-store.ts';

/** A key as the API shows it: every field always, `null` where it is unset. */
export function describeKey({ kind, rate_limits, ...key }: StoredKey, account: Account, now: Date) {
  return {
    ...key,
    external: key.external ?? null,
    is_management_key: kind === 'management',
    rate_limits: { upload: null, submit: null, read: null, admin: null, ...rate_limits },
    ...describeMoney(account, now),
  };
}

/** The caller's own key, with the fields that public clients also expect of it. */
export function describeCurrentKey(key: StoredKey, account: Account, now: Date) {
  const isManagement = key.kind === 'management';
  return {
    ...describeKey(key, account, now),
    is_provisioning_key: isManagement,
    is_free_tier: false,
    organization_id: null,
    allowed_data_regions: [],
    free_model_daily_requests: { limit: 0, used: 0, remaining: 0 },
    rate_limit: {
      requests: -1,
      interval: '1m',
      note: 'See rate_limits; this field is kept for older clients',
    },
  };
}

function describeMoney(account: Account, now: Date) {
  const { micros, reset, countsByok } = keyLimit(account);
  const count = (interval: Interval) => currentCount(account, interval, now);
  const usage = (interval: Interval) => microsToUsd(count(interval).spent);
  const byokUsage = (interval: Interval) => microsToUsd(count(interval).byok);
  return {
    limit: micros === null ? null : microsToUsd(micros),
    /** What open jobs hold is taken off too. */
    limit_remaining:
      micros === null ? null : microsToUsd(roomIn(micros, count(reset ?? 'lifetime').committed)),
    limit_reset: reset,
    include_byok_in_limit: countsByok,
    usage: usage('lifetime'),
    usage_daily: usage('daily'),
    usage_weekly: usage('weekly'),
    usage_monthly: usage('monthly'),
    byok_usage: byokUsage('lifetime'),
    byok_usage_daily: byokUsage('daily'),
    byok_usage_weekly: byokUsage('weekly'),
    byok_usage_monthly: byokUsage('monthly'),
  };
}
