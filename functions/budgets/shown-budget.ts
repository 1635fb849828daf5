import * as v from 'valibot';
import { instant, usd, uuid } from '../http/answer-schemas.ts';

/** A budget as answers show it. */
export const shownBudgetSchema = v.object({
  id: uuid,
  workspace_id: uuid,
  reset_interval: v.pipe(
    v.nullable(v.picklist(['daily', 'weekly', 'monthly'])),
    v.description('Null: it never starts anew'),
  ),
  limit_usd: usd,
  used_usd: v.pipe(v.number(), v.description('Spent, or held by open jobs')),
  remaining_usd: usd,
  created_at: instant,
  updated_at: instant,
});

export const budgetAnswerSchema = v.object({ data: shownBudgetSchema, include_byok_in_budgets: v.boolean() });
export const budgetListSchema = v.object({
  data: v.array(shownBudgetSchema),
  include_byok_in_budgets: v.boolean(),
});
