import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { describeBudget } from '../../budgets/budget.ts';
import { systemClock } from '../../clock.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { json } from '../../http/response.ts';
import { workspaceAccount } from '../../money/account.ts';
import { AccountStore } from '../../money/account-store.ts';
import { INTERVALS } from '../../money/period.ts';
import { findWorkspace } from '../../workspaces/find-workspace.ts';
import { WorkspaceStore } from '../../workspaces/workspace-store.ts';

const { WORKSPACES_TABLE, ACCOUNTS_TABLE } = readEnvironment({
  WORKSPACES_TABLE: v.string(),
  ACCOUNTS_TABLE: v.string(),
});
const workspaces = new WorkspaceStore(dynamo, WORKSPACES_TABLE);
const accounts = new AccountStore(dynamo, ACCOUNTS_TABLE);

export const handler = routeHandler('list-budgets', async (call) => {
  const { id } = await findWorkspace(workspaces, call.path.workspace ?? '');
  const account = await accounts.readOne(workspaceAccount(id));
  const now = systemClock();
  const data = INTERVALS.flatMap((interval) => describeBudget(id, account, interval, now) ?? []);
  return json(200, { data, include_byok_in_budgets: account.counts_byok });
});
