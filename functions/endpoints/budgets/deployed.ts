import { dynamo } from '../../aws/dynamo.ts';
import type { ChangeBudgetPorts } from '../../budgets/change-budget.ts';
import { systemClock } from '../../clock.ts';
import { accountStore } from '../credits/deployed.ts';
import { workspaceStore } from '../workspaces/deployed.ts';

export const changeBudgetPorts = (): ChangeBudgetPorts => ({
  client: dynamo,
  accounts: accountStore(),
  workspaces: workspaceStore(),
  now: systemClock,
});
