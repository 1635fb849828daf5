import { readInterval } from '../../budgets/budget.ts';
import { changeBudget } from '../../budgets/change-budget.ts';
import { json } from '../../http/response.ts';
import { workspaceHandler } from '../workspaces/workspace-handler.ts';
import { changeBudgetPorts } from './deployed.ts';

const ports = changeBudgetPorts();

/** Succeeds also where there is no such budget. */
export const handler = workspaceHandler('delete-budget', async ({ path }, { id }) => {
  const interval = readInterval(path.interval);
  await changeBudget(id, { interval, micros: undefined, includeByok: undefined }, ports);
  return json(200, { deleted: true });
});
