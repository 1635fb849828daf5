import { setTimeout as wait } from 'node:timers/promises';
import { dynamo } from '../../aws/dynamo.ts';
import { log } from '../../aws/logger.ts';
import { countContradictions } from '../../aws/metrics.ts';
import { systemClock } from '../../clock.ts';
import { setting } from '../../environment.ts';
import { allAudits } from '../../reconciling/audits.ts';
import { CursorStore } from '../../reconciling/pages.ts';
import { reconcile } from '../../reconciling/reconcile.ts';
import { returnIdleLeases } from '../../reconciling/return-leases.ts';
import { accountStore } from '../credits/deployed.ts';
import { keyStore } from '../keys/deployed.ts';
import { listStore } from '../lists/deployed.ts';
import { providerKeyStore } from '../provider-keys/deployed.ts';
import { eventStore } from '../webhooks/deployed.ts';
import { workspaceStore } from '../workspaces/deployed.ts';

const shared = {
  client: dynamo,
  jobsTable: setting('jobsTable'),
  eventsTable: setting('eventsTable'),
  listsTable: setting('listsTable'),
  accounts: accountStore(),
  events: eventStore(),
  lists: listStore(),
  workspaces: workspaceStore(),
  keys: keyStore(),
  providerKeys: providerKeyStore(),
  now: systemClock,
};
const cursors = new CursorStore(dynamo, setting('accountsTable'));

export const handler = async (): Promise<void> => {
  await reconcile(allAudits(shared), { ...shared, cursors, pause: wait, countContradictions, log });
  await returnIdleLeases({ leases: shared.accounts.leases, now: systemClock, log });
};
