import { noteChange } from '../../audit/changed-fields.ts';
import { systemClock } from '../../clock.ts';
import { accountStore, changeBudgetPorts } from '../../deployed/stores.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { workspaceAccount } from '../../money/account.ts';
import type { Interval } from '../../money/period.ts';
import { budgetSchema, describeBudget, readInterval } from '../../workspaces/budget.ts';
import { changeBudget } from '../../workspaces/change-budget.ts';
import { workspaceHandler } from '../workspaces/workspace-handler.ts';
import { routes } from './definition.ts';

/** What of a budget the audit trail keeps. */
const AUDITED = ['limit_usd', 'include_byok_in_budgets'] as const;

const accounts = accountStore();
const ports = changeBudgetPorts();

export const handler = workspaceHandler(routes['put-budget'], async (call, { id }) => {
  const interval = readInterval(call.path.interval);
  const { limit_usd: micros, include_byok_in_budgets: includeByok } = jsonBody(call, budgetSchema);
  const before = await shown(id, interval);
  await changeBudget(id, { interval, micros, includeByok }, ports);
  const after = await shown(id, interval);
  noteChange(call, AUDITED, { ...before.data, ...before }, { ...after.data, ...after });
  return json(200, after);
});

async function shown(workspaceId: string, interval: Interval) {
  const account = await accounts.readOne(workspaceAccount(workspaceId));
  return {
    data: describeBudget(workspaceId, account, interval, systemClock()),
    include_byok_in_budgets: account.counts_byok,
  };
}
