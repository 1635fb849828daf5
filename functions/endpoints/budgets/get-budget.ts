import { systemClock } from '../../clock.ts';
import { accountStore } from '../../deployed/stores.ts';
import { NotFound } from '../../http/errors.ts';
import { json } from '../../http/response.ts';
import { workspaceAccount } from '../../money/account.ts';
import { describeBudget, readInterval } from '../../workspaces/budget.ts';
import { workspaceHandler } from '../workspaces/workspace-handler.ts';
import { routes } from './definition.ts';

const accounts = accountStore();

export const handler = workspaceHandler(routes['get-budget'], async ({ path }, { id }) => {
  const interval = readInterval(path.interval);
  const account = await accounts.readOne(workspaceAccount(id));
  const budget = describeBudget(id, account, interval, systemClock());
  if (budget === undefined) throw new NotFound(`The workspace has no ${interval} budget`);
  return json(200, { data: budget, include_byok_in_budgets: account.counts_byok });
});
