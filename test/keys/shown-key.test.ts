import { describe, expect, test } from '@jest/globals';
import { describeCurrentKey, describeKey } from '../../functions/keys/shown-key.ts';
import { type Account, emptyAccount, keyAccount } from '../../functions/money/account.ts';
import { micros } from '../../functions/money/micros.ts';
import { type Interval, periodOf } from '../../functions/money/period.ts';
import { storedKey } from './stored-key.ts';

const NOW = new Date('2030-01-02T00:00:00Z');
const key = storedKey();

const count = (interval: Interval, dollars: number) => ({
  period: periodOf(interval, NOW),
  committed: micros(dollars * 10_000_000),
  spent: micros(dollars * 1_000_000),
  byok: micros(dollars * 100_000),
});
const limit = { micros: micros(50_000_000), created_at: '', updated_at: '' };
const account = (limits: Account['limits'] = {}): Account => ({
  ...emptyAccount(keyAccount(key.hash)),
  limits,
  counts_byok: true,
  daily: count('daily', 1),
  weekly: count('weekly', 2),
  monthly: count('monthly', 3),
  lifetime: count('lifetime', 4),
});

describe('a key', () => {
  test('is shown with every field, and with what it has used', () => {
    const { kind: _, ...fields } = key;
    expect(describeKey({ ...key, rate_limits: { read: 7 } }, account(), NOW)).toEqual({
      ...fields,
      external: null,
      is_management_key: false,
      rate_limits: { upload: null, submit: null, read: 7, admin: null },
      limit: null,
      limit_remaining: null,
      limit_reset: null,
      include_byok_in_limit: true,
      usage: 4,
      usage_daily: 1,
      usage_weekly: 2,
      usage_monthly: 3,
      byok_usage: 0.4,
      byok_usage_daily: 0.1,
      byok_usage_weekly: 0.2,
      byok_usage_monthly: 0.3,
    });
  });

  test.each([
    [{ lifetime: limit }, { limit: 50, limit_remaining: 10, limit_reset: null }],
    [{ daily: limit }, { limit: 50, limit_remaining: 40, limit_reset: 'daily' }],
    [{ weekly: limit }, { limit: 50, limit_remaining: 30, limit_reset: 'weekly' }],
  ])('is shown with its limit: %j', (limits, shown) => {
    expect(describeKey(key, account(limits), NOW)).toMatchObject(shown);
  });

  test('is shown with whom it was given to', () => {
    const external = { user: 'u', api_key: null };
    expect(describeKey({ ...key, external }, account(), NOW)).toMatchObject({ external });
  });

  test.each([
    ['normal', false],
    ['management', true],
  ] as const)('that is %s is shown to itself with more fields', (kind, isManagement) => {
    const mine = { ...key, kind };
    expect(describeCurrentKey(mine, account(), NOW)).toEqual({
      ...describeKey(mine, account(), NOW),
      is_management_key: isManagement,
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
    });
  });
});
