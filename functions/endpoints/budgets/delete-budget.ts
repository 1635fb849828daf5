import { noteChange } from '../../audit/changed-fields.ts';
import { systemClock } from '../../clock.ts';
import { changeBudgetPorts } from '../../deployed/stores.ts';
import { json } from '../../http/response.ts';
import { workspaceAccount } from '../../money/account.ts';
import { describeBudget, readInterval } from '../../workspaces/budget.ts';
import { changeBudget } from '../../workspaces/change-budget.ts';
import { workspaceHandler } from '../workspaces/workspace-handler.ts';
import { routes } from './definition.ts';

const ports = changeBudgetPorts();

/** Succeeds also where there is no such budget. */
export const handler = workspaceHandler(routes['delete-budget'], async (call, { id }) => {
  const interval = readInterval(call.path.interval);
  const account = await ports.accounts.readOne(workspaceAccount(id));
  await changeBudget(id, { interval, micros: undefined, includeByok: undefined }, ports);
  noteChange(call, ['limit_usd'], describeBudget(id, account, interval, systemClock()), undefined);
  return json(200, { deleted: true });
});
