import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { readInterval } from '../../budgets/budget.ts';
import { changeBudget } from '../../budgets/change-budget.ts';
import { systemClock } from '../../clock.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { json } from '../../http/response.ts';
import { findWorkspace } from '../../workspaces/find-workspace.ts';
import { WorkspaceStore } from '../../workspaces/workspace-store.ts';

const { WORKSPACES_TABLE, ACCOUNTS_TABLE } = readEnvironment({
  WORKSPACES_TABLE: v.string(),
  ACCOUNTS_TABLE: v.string(),
});
const workspaces = new WorkspaceStore(dynamo, WORKSPACES_TABLE);
const ports = {
  client: dynamo,
  tables: { accounts: ACCOUNTS_TABLE, workspaces: WORKSPACES_TABLE },
  now: systemClock,
};

/** Taking away a budget that is not there succeeds: afterwards there is none. */
export const handler = routeHandler('delete-budget', async (call) => {
  const interval = readInterval(call.path.interval);
  const { id } = await findWorkspace(workspaces, call.path.workspace ?? '');
  await changeBudget(id, { interval, micros: undefined, includeByok: undefined }, ports);
  return json(200, { deleted: true });
});
