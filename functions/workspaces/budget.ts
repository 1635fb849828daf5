import * as v from 'valibot';
import { instant, usd, uuid } from '../http/answer-schemas.ts';
import { invalidField, NotFound } from '../http/errors.ts';
import { type Account, currentCount } from '../money/account.ts';
import { formatUsd, microsToUsd, roomIn, usdAmount } from '../money/micros.ts';
import { INTERVALS, type Interval } from '../money/period.ts';
import { uuidV5 } from './workspace.ts';

export const SPENT_SAYS =
  'Costs and holds of the jobs that were submitted in the current interval and count towards the limit, in USD';

/** A budget as answers show it. */
export const shownBudgetSchema = v.object({
  id: uuid,
  workspace_id: uuid,
  reset_interval: v.pipe(
    v.nullable(v.picklist(['daily', 'weekly', 'monthly'])),
    v.description(
      'When the limit resets, at 00:00 UTC: every day, every Monday, or on the 1st of the month. Null: never',
    ),
  ),
  limit_usd: usd,
  used_usd: v.pipe(v.number(), v.description(SPENT_SAYS)),
  remaining_usd: usd,
  created_at: instant,
  updated_at: instant,
});

export const budgetAnswerSchema = v.object({ data: shownBudgetSchema, include_byok_in_budgets: v.boolean() });
export const budgetListSchema = v.object({
  data: v.array(shownBudgetSchema),
  include_byok_in_budgets: v.boolean(),
});

export const budgetSchema = v.object({
  limit_usd: usdAmount('more than zero', 'Spending limit in USD, with at most 6 decimals'),
  include_byok_in_budgets: v.exactOptional(
    v.pipe(
      v.boolean('must be true or false'),
      v.description(
        'Whether jobs on your own provider keys count towards the workspace’s budgets. Applies to all intervals. Unchanged if omitted',
      ),
    ),
  ),
});

/** @throws NotFound for a word that is not an interval */
export function readInterval(text: string): Interval {
  const interval = INTERVALS.find((each) => each === text);
  if (interval === undefined) throw new NotFound(`Unknown interval; use one of ${INTERVALS.join(', ')}`);
  return interval;
}

/**
 * A longer interval must allow more than a shorter one, or the shorter one's limit could never be reached.
 * @throws InvalidRequest that names both
 */
export function assertBudgetsGrow(limits: Account['limits']): void {
  const set = INTERVALS.flatMap((interval) => {
    const limit = limits[interval];
    return limit === undefined ? [] : [{ interval, micros: limit.micros }];
  });
  for (const [index, longer] of set.entries()) {
    const shorter = set[index - 1];
    if (shorter === undefined || shorter.micros < longer.micros) continue;
    throw invalidField(
      'limit_usd',
      `the ${longer.interval} budget (${formatUsd(longer.micros)}) must be more than the ` +
        `${shorter.interval} budget (${formatUsd(shorter.micros)})`,
    );
  }
}

export const budgetId = (workspaceId: string, interval: Interval): string =>
  uuidV5(workspaceId, `budget-${interval}`);

/** A budget as the API shows it; undefined where there is none. */
export function describeBudget(workspaceId: string, account: Account, interval: Interval, now: Date) {
  const limit = account.limits[interval];
  if (limit === undefined) return undefined;
  const { committed } = currentCount(account, interval, now);
  return {
    id: budgetId(workspaceId, interval),
    workspace_id: workspaceId,
    reset_interval: interval === 'lifetime' ? null : interval,
    limit_usd: microsToUsd(limit.micros),
    /** Spent, or held by open jobs. */
    used_usd: microsToUsd(committed),
    remaining_usd: microsToUsd(roomIn(limit.micros, committed)),
    created_at: limit.created_at,
    updated_at: limit.updated_at,
  };
}
