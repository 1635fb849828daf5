import { changeBudgetPorts } from '../../deployed/stores.ts';
import { json } from '../../http/response.ts';
import { readInterval } from '../../workspaces/budget.ts';
import { changeBudget } from '../../workspaces/change-budget.ts';
import { workspaceHandler } from '../workspaces/workspace-handler.ts';
import { routes } from './definition.ts';

const ports = changeBudgetPorts();

/** Succeeds also where there is no such budget. */
export const handler = workspaceHandler(routes['delete-budget'], async ({ path }, { id }) => {
  const interval = readInterval(path.interval);
  await changeBudget(id, { interval, micros: undefined, includeByok: undefined }, ports);
  return json(200, { deleted: true });
});
