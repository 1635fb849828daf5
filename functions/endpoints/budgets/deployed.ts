import { dynamo } from '../../aws/dynamo.ts';
import type { ChangeBudgetPorts } from '../../budgets/change-budget.ts';
import { systemClock } from '../../clock.ts';
import { setting } from '../../environment.ts';

export const changeBudgetPorts = (): ChangeBudgetPorts => ({
  client: dynamo,
  tables: { accounts: setting('accountsTable'), workspaces: setting('workspacesTable') },
  now: systemClock,
});
