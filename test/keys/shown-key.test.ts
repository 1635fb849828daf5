import { describe, expect, test } from '@jest/globals';
import { describeCurrentKey, describeKey } from '../../functions/keys/shown-key.ts';
import {
  type Account,
  emptyAccount,
  guardrailAccount,
  keyAccount,
  workspaceAccount,
} from '../../functions/money/account.ts';
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
const GUARDRAIL = '0d1c0ab5-30a4-5f23-9b4c-27d1ea0b2a11';
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

const limiting = (limits: Partial<Record<'own' | 'workspace' | 'guardrail', Account['limits']>> = {}) => {
  const limited = (id: string, each: Account['limits'] = {}) => ({ ...account(each), account: id });
  return {
    own: limited(keyAccount(key.hash), limits.own),
    workspace: limited(workspaceAccount(key.workspace_id), limits.workspace),
    guardrail: limited(guardrailAccount(GUARDRAIL), limits.guardrail),
    guardrailId: GUARDRAIL,
  };
};
const of = (dollars: number) => ({ ...limit, micros: micros(dollars * 1_000_000) });

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
    expect(describeCurrentKey(mine, limiting(), NOW)).toEqual({
      ...describeKey(mine, account(), NOW),
      is_management_key: isManagement,
      budgets: [],
      effective_budget: null,
      is_provisioning_key: isManagement,
      is_free_tier: false,
      organization_id: null,
      allowed_data_regions: [],
      free_model_daily_requests: { limit: 0, used: 0, remaining: 0 },
      rate_limit: {
        requests: -1,
        interval: '1m',
        note: 'See rate_limits; this field is only for compatibility with OpenRouter’s clients',
      },
    });
  });

  test('is shown every limit that its jobs must fit, in the order in which a submit checks them', () => {
    const mine = { ...key, workspace_id: '5f0c3b52-9c1e-5a63-8f5e-3a4f1d6d7e01' };
    const limits = {
      own: { weekly: of(100) },
      workspace: { daily: of(11), lifetime: of(50) },
      guardrail: { monthly: of(31) },
    };
    const { budgets, effective_budget } = describeCurrentKey(mine, limiting(limits), NOW);
    expect(
      budgets.map((each) => [
        each.scope,
        each.reset_interval,
        each.limit_usd,
        each.spend_usd,
        each.remaining_usd,
      ]),
    ).toEqual([
      ['key_limit', 'weekly', 100, 20, 80],
      ['workspace', 'daily', 11, 10, 1],
      ['workspace', null, 50, 40, 10],
      ['workspace_default_key', 'monthly', 31, 30, 1],
    ]);
    expect(budgets.map(({ resets_at }) => resets_at)).toEqual([
      '2030-01-07T00:00:00.000Z',
      '2030-01-03T00:00:00.000Z',
      null,
      '2030-02-01T00:00:00.000Z',
    ]);
    expect(budgets.map(({ budget_id, guardrail_id }) => [budget_id !== null, guardrail_id])).toEqual([
      [false, null],
      [true, null],
      [true, null],
      [false, GUARDRAIL],
    ]);
    expect(effective_budget).toEqual(budgets[1]);
  });

  test.each([
    [
      'the first that is used up',
      { own: { lifetime: of(41) }, workspace: { daily: of(10) }, guardrail: { daily: of(9) } },
      'workspace',
      0,
    ],
    ['one that was lowered', { own: { lifetime: of(41) }, guardrail: { daily: of(9) } }, 'api_key', -1],
    [
      'the one with the least left',
      { own: { lifetime: of(42) }, workspace: { daily: of(11) } },
      'workspace',
      1,
    ],
    [
      'the first of two with as much left',
      { own: { lifetime: of(41) }, workspace: { daily: of(11) } },
      'key_limit',
      1,
    ],
  ])('is shown which limit refuses its jobs first: %s', (_name, limits, scope, remaining_usd) => {
    const mine = { ...key, workspace_id: '5f0c3b52-9c1e-5a63-8f5e-3a4f1d6d7e01', guardrail_id: GUARDRAIL };
    expect(describeCurrentKey(mine, limiting(limits), NOW).effective_budget).toMatchObject({
      scope,
      remaining_usd,
    });
  });
});
