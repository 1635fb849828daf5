import { systemClock } from '../../clock.ts';
import { accountStore, changeBudgetPorts } from '../../deployed/stores.ts';
import { jsonBody } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { workspaceAccount } from '../../money/account.ts';
import { budgetSchema, describeBudget, readInterval } from '../../workspaces/budget.ts';
import { changeBudget } from '../../workspaces/change-budget.ts';
import { workspaceHandler } from '../workspaces/workspace-handler.ts';
import { routes } from './definition.ts';

const accounts = accountStore();
const ports = changeBudgetPorts();

export const handler = workspaceHandler(routes['put-budget'], async (call, { id }) => {
  const interval = readInterval(call.path.interval);
  const { limit_usd: micros, include_byok_in_budgets: includeByok } = jsonBody(call, budgetSchema);
  await changeBudget(id, { interval, micros, includeByok }, ports);
  const account = await accounts.readOne(workspaceAccount(id));
  return json(200, {
    data: describeBudget(id, account, interval, systemClock()),
    include_byok_in_budgets: account.counts_byok,
  });
});
