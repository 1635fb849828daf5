import { dynamo } from '../../aws/dynamo.ts';
import { systemClock } from '../../clock.ts';
import type { ChangeBudgetPorts } from '../../workspaces/budget.ts';
import { accountStore } from '../credits/deployed.ts';
import { workspaceStore } from '../workspaces/deployed.ts';

export const changeBudgetPorts = (): ChangeBudgetPorts => ({
  client: dynamo,
  accounts: accountStore(),
  workspaces: workspaceStore(),
  now: systemClock,
});
