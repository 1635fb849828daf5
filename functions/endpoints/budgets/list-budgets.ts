import { systemClock } from '../../clock.ts';
import { accountStore } from '../../deployed/stores.ts';
import { json } from '../../http/response.ts';
import { workspaceAccount } from '../../money/account.ts';
import { INTERVALS } from '../../money/period.ts';
import { describeBudget } from '../../workspaces/budget.ts';
import { workspaceHandler } from '../workspaces/workspace-handler.ts';
import { routes } from './definition.ts';

const accounts = accountStore();

export const handler = workspaceHandler(routes['list-budgets'], async (_call, { id }) => {
  const account = await accounts.readOne(workspaceAccount(id));
  const now = systemClock();
  const data = INTERVALS.flatMap((interval) => describeBudget(id, account, interval, now) ?? []);
  return json(200, { data, include_byok_in_budgets: account.counts_byok });
});
