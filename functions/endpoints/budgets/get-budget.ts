import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { describeBudget, readInterval } from '../../budgets/budget.ts';
import { systemClock } from '../../clock.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { NotFound } from '../../http/errors.ts';
import { json } from '../../http/response.ts';
import { workspaceAccount } from '../../money/account.ts';
import { AccountStore } from '../../money/account-store.ts';
import { findWorkspace } from '../../workspaces/find-workspace.ts';
import { WorkspaceStore } from '../../workspaces/workspace-store.ts';

const { WORKSPACES_TABLE, ACCOUNTS_TABLE } = readEnvironment({
  WORKSPACES_TABLE: v.string(),
  ACCOUNTS_TABLE: v.string(),
});
const workspaces = new WorkspaceStore(dynamo, WORKSPACES_TABLE);
const accounts = new AccountStore(dynamo, ACCOUNTS_TABLE);

export const handler = routeHandler('get-budget', async (call) => {
  const interval = readInterval(call.path.interval);
  const { id } = await findWorkspace(workspaces, call.path.workspace ?? '');
  const account = await accounts.readOne(workspaceAccount(id));
  const budget = describeBudget(id, account, interval, systemClock());
  if (budget === undefined) throw new NotFound(`The workspace has no ${interval} budget`);
  return json(200, { data: budget, include_byok_in_budgets: account.counts_byok });
});
