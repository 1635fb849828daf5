import { setTimeout as wait } from 'node:timers/promises';
import { dynamo } from '../../aws/dynamo.ts';
import { log } from '../../aws/logger.ts';
import { countContradictions } from '../../aws/metrics.ts';
import { systemClock } from '../../clock.ts';
import { setting } from '../../environment.ts';
import { AccountAudit } from '../../reconciling/account-audit.ts';
import { EventAudit } from '../../reconciling/event-audit.ts';
import { JobAudit } from '../../reconciling/job-audit.ts';
import { ListAudit } from '../../reconciling/list-audit.ts';
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
// The marks come first: sums over open jobs are right only once each open job has its mark.
const audits = [
  new EventAudit(shared),
  new JobAudit(shared),
  new AccountAudit(shared),
  new ListAudit(shared),
];
const cursors = new CursorStore(dynamo, setting('accountsTable'));

export const handler = async (): Promise<void> => {
  await reconcile(audits, { ...shared, cursors, pause: wait, countContradictions, log });
  await returnIdleLeases({ leases: shared.accounts.leases, now: systemClock, log });
};
