import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { budgetSchema, describeBudget, readInterval } from '../../budgets/budget.ts';
import { changeBudget } from '../../budgets/change-budget.ts';
import { systemClock } from '../../clock.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { jsonBody } from '../../http/call.ts';
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
const ports = {
  client: dynamo,
  tables: { accounts: ACCOUNTS_TABLE, workspaces: WORKSPACES_TABLE },
  now: systemClock,
};

export const handler = routeHandler('put-budget', async (call) => {
  const interval = readInterval(call.path.interval);
  const requested = jsonBody(call, budgetSchema);
  const { id } = await findWorkspace(workspaces, call.path.workspace ?? '');
  const change = { interval, micros: requested.limit_usd, includeByok: requested.include_byok_in_budgets };
  await changeBudget(id, change, ports);
  const account = await accounts.readOne(workspaceAccount(id));
  return json(200, {
    data: describeBudget(id, account, interval, systemClock()),
    include_byok_in_budgets: account.counts_byok,
  });
});
