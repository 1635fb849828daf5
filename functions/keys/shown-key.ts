import * as v from 'valibot';
import { count, instant, usd, uuid } from '../http/answer-schemas.ts';
import { OPERATION_GROUPS } from '../http/scope.ts';
import { type Account, currentCount } from '../money/account.ts';
import { microsToUsd, roomIn } from '../money/micros.ts';
import type { Interval } from '../money/period.ts';
import {
  describeKeyBudgets,
  effectiveBudget,
  keyBudgetSchema,
  type LimitingAccounts,
} from './key-budgets.ts';
import { keyLimit } from './key-limit.ts';
import type { StoredKey } from './key-store.ts';

const rate = v.nullable(count);

const usage = {
  usage: usd,
  usage_daily: usd,
  usage_weekly: usd,
  usage_monthly: usd,
  byok_usage: usd,
  byok_usage_daily: usd,
  byok_usage_weekly: usd,
  byok_usage_monthly: usd,
};

/** A key as answers show it: every field always, `null` where it is unset. */
export const shownKeySchema = v.object({
  hash: v.pipe(
    v.string(),
    v.description(
      'SHA-256 of the key, in hexadecimal. Identifies the key. For the key of a person who signs in with the identity provider, a hash of the `iss` and `sub` of their ID token',
    ),
  ),
  name: v.string(),
  label: v.pipe(
    v.string(),
    v.description(
      'First and last characters of the key. For the key of a person who signs in, the host of the identity provider',
    ),
  ),
  workspace_id: uuid,
  is_management_key: v.boolean(),
  disabled: v.pipe(
    v.boolean(),
    v.description(
      'Whether the key is disabled. A disabled key stops working within five seconds of the change',
    ),
  ),
  creator_user_id: v.nullable(v.string()),
  external_user: v.nullable(v.string()),
  external: v.nullable(v.object({ user: v.string(), api_key: v.nullable(v.string()) })),
  limit: v.pipe(v.nullable(usd), v.description('Spending limit in USD. Null: no limit')),
  limit_remaining: v.pipe(
    v.nullable(usd),
    v.description('Remaining amount of `limit` after open holds, in USD. Null: no limit'),
  ),
  limit_reset: v.pipe(
    v.nullable(v.picklist(['daily', 'weekly', 'monthly'])),
    v.description(
      'When `limit` resets, at 00:00 UTC: every day, every Monday, or on the 1st of the month. Null: never',
    ),
  ),
  include_byok_in_limit: v.boolean(),
  rate_limits: v.pipe(
    v.object({ upload: rate, submit: rate, read: rate, admin: rate }),
    v.description('Requests per minute. Null fields: the default of the deployment'),
  ),
  guardrail_id: v.pipe(
    v.nullable(uuid),
    v.description(
      'ID of the guardrail for the key’s jobs in its own workspace. Null: the default guardrail of the workspace',
    ),
  ),
  scope: v.pipe(
    v.object({
      workspaces: v.nullable(v.array(uuid)),
      operations: v.nullable(v.array(v.picklist(OPERATION_GROUPS))),
      networks: v.nullable(v.array(v.string())),
    }),
    v.description(
      'Restrictions of the key. They never change. The key of a person who signs in with the identity provider has no restrictions; each session has its own restrictions',
    ),
  ),
  ...usage,
  expires_at: v.nullable(instant),
  last_used_at: v.pipe(
    v.nullable(instant),
    v.description('Time of the last use, accurate to a minute. Null if never used'),
  ),
  created_at: instant,
  updated_at: v.nullable(instant),
});

/** The caller's own key, with the fields that clients of other services look for. */
export const shownCurrentKeySchema = v.object({
  ...shownKeySchema.entries,
  scope: v.pipe(
    shownKeySchema.entries.scope,
    v.description('Restrictions of the key or, if a person signed in, of the session'),
  ),
  budgets: v.pipe(
    v.array(keyBudgetSchema),
    v.description(
      'The spending limits for the key’s jobs in its workspace, in the order in which Genway checks them. Credits are not listed',
    ),
  ),
  effective_budget: v.pipe(
    v.nullable(keyBudgetSchema),
    v.description(
      'The limit in `budgets` that restricts jobs most: the first that is used up or, if none is, the one with the least remaining. Null if `budgets` is empty',
    ),
  ),
  is_provisioning_key: v.boolean(),
  is_free_tier: v.boolean(),
  organization_id: v.null(),
  allowed_data_regions: v.array(v.string()),
  free_model_daily_requests: v.object({ limit: count, used: count, remaining: count }),
  rate_limit: v.pipe(
    v.object({ requests: v.number(), interval: v.string(), note: v.string() }),
    v.description('A fixed value, for compatibility with OpenRouter’s clients. See `rate_limits` instead'),
  ),
});

export const createdKeySchema = v.object({
  data: shownKeySchema,
  key: v.pipe(v.string(), v.description('The key itself. No other response contains it')),
});

/** What of a key the audit trail keeps. */
export const AUDITED_OF_KEYS = [
  'hash',
  'workspace_id',
  'is_management_key',
  'disabled',
  'expires_at',
  'limit',
  'limit_reset',
  'include_byok_in_limit',
  'rate_limits',
  'guardrail_id',
  'scope',
] as const;

export function describeKey(
  {
    kind,
    rate_limits,
    scope: { workspaces, operations, networks },
    guardrail_since: _since,
    line: _line,
    ...key
  }: StoredKey,
  account: Account,
  now: Date,
): v.InferOutput<typeof shownKeySchema> {
  return {
    ...key,
    external: key.external ?? null,
    is_management_key: kind === 'management',
    scope: {
      workspaces: workspaces && [...workspaces],
      operations: operations && [...operations],
      networks: networks && [...networks],
    },
    rate_limits: { upload: null, submit: null, read: null, admin: null, ...rate_limits },
    ...describeMoney(account, now),
  };
}

export function describeCurrentKey(
  key: StoredKey,
  accounts: LimitingAccounts,
  now: Date,
): v.InferOutput<typeof shownCurrentKeySchema> {
  const isManagement = key.kind === 'management';
  const budgets = describeKeyBudgets(key, accounts, now);
  return {
    ...describeKey(key, accounts.own, now),
    budgets,
    effective_budget: effectiveBudget(budgets),
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
  };
}

function describeMoney(account: Account, now: Date) {
  const { micros, reset, countsByok } = keyLimit(account);
  const count = (interval: Interval) => currentCount(account, interval, now);
  const usage = (interval: Interval) => microsToUsd(count(interval).spent);
  const byokUsage = (interval: Interval) => microsToUsd(count(interval).byok);
  return {
    limit: micros === null ? null : microsToUsd(micros),
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
