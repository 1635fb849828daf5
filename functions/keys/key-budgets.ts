import * as v from 'valibot';
import { instant, usd, uuid } from '../http/answer-schemas.ts';
import { type Account, currentCount } from '../money/account.ts';
import { microsToUsd, minus } from '../money/micros.ts';
import { INTERVALS, type Interval, periodEnd } from '../money/period.ts';
import { budgetId, SPENT_SAYS } from '../workspaces/budget.ts';
import type { StoredKey } from './key-store.ts';

export const keyBudgetSchema = v.object({
  scope: v.pipe(
    v.picklist(['key_limit', 'workspace', 'api_key', 'workspace_default_key']),
    v.description(
      '`key_limit`: the limit of the key; `workspace`: a budget of its workspace; `api_key`: the limit of the key’s guardrail; ' +
        '`workspace_default_key`: the limit of the workspace’s default guardrail',
    ),
  ),
  budget_id: v.pipe(v.nullable(uuid), v.description('ID of the budget. Null unless `scope` is `workspace`')),
  guardrail_id: v.pipe(
    v.nullable(uuid),
    v.description('ID of the guardrail. Null unless the limit belongs to a guardrail'),
  ),
  limit_usd: usd,
  spend_usd: v.pipe(v.number(), v.description(SPENT_SAYS)),
  remaining_usd: v.pipe(
    v.number(),
    v.description('Remaining amount in USD. Negative if the limit was set below `spend_usd`'),
  ),
  include_byok: v.pipe(
    v.boolean(),
    v.description('Whether jobs on your own provider keys count towards the limit'),
  ),
  reset_interval: v.pipe(
    v.nullable(v.picklist(['daily', 'weekly', 'monthly'])),
    v.description('Interval at which the limit resets. Null: never'),
  ),
  resets_at: v.pipe(v.nullable(instant), v.description('When the limit next resets. Null: never')),
});
export type KeyBudget = v.InferOutput<typeof keyBudgetSchema>;

/** What limits a key's submits: the accounts that they hold money in, but for the deployment's credits. */
export interface LimitingAccounts {
  readonly own: Account;
  readonly workspace: Account;
  readonly guardrail: Account;
  /** The guardrail that the key goes by, whether the key or its workspace names it. */
  readonly guardrailId: string;
}

/** Each limit, in the order in which a submit checks them (`accountsOf`, `findShortfall`). */
export function describeKeyBudgets(
  key: Pick<StoredKey, 'workspace_id' | 'guardrail_id'>,
  { own, workspace, guardrail, guardrailId }: LimitingAccounts,
  now: Date,
): KeyBudget[] {
  const none = () => ({ budget_id: null, guardrail_id: null });
  return [
    ...limitsOf(own, now, () => ({ scope: 'key_limit', ...none() })),
    ...limitsOf(workspace, now, (interval) => ({
      scope: 'workspace',
      ...none(),
      budget_id: budgetId(key.workspace_id, interval),
    })),
    ...limitsOf(guardrail, now, () => ({
      scope: key.guardrail_id === null ? 'workspace_default_key' : 'api_key',
      ...none(),
      guardrail_id: guardrailId,
    })),
  ];
}

/** The one that refuses jobs first: the first that is used up, or else the one with the least left. */
export function effectiveBudget(budgets: readonly KeyBudget[]): KeyBudget | null {
  const usedUp = budgets.find(({ remaining_usd }) => remaining_usd <= 0);
  return usedUp ?? budgets.toSorted((a, b) => a.remaining_usd - b.remaining_usd)[0] ?? null;
}

function limitsOf(
  account: Account,
  now: Date,
  layerOf: (interval: Interval) => Pick<KeyBudget, 'scope' | 'budget_id' | 'guardrail_id'>,
): KeyBudget[] {
  return INTERVALS.flatMap((interval) => {
    const limit = account.limits[interval];
    if (limit === undefined) return [];
    const { committed } = currentCount(account, interval, now);
    return {
      ...layerOf(interval),
      limit_usd: microsToUsd(limit.micros),
      spend_usd: microsToUsd(committed),
      remaining_usd: microsToUsd(minus(limit.micros, committed)),
      include_byok: account.counts_byok,
      reset_interval: interval === 'lifetime' ? null : interval,
      resets_at: periodEnd(interval, now)?.toISOString() ?? null,
    };
  });
}
