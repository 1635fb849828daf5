import { setTimeout as wait } from 'node:timers/promises';
import { dynamo } from '../../aws/dynamo.ts';
import { systemClock } from '../../clock.ts';
import {
  accountStore,
  keyStore,
  listStore,
  providerKeyStore,
  workspaceStore,
} from '../../deployed/stores.ts';
import { eventStore } from '../../deployed/webhooks.ts';
import { setting } from '../../environment.ts';
import { AccountAudit, type AccountAuditPorts } from '../../reconciling/account-audit.ts';
import { type Audit, CursorStore } from '../../reconciling/audit.ts';
import { ListAudit, type ListAuditPorts } from '../../reconciling/list-audit.ts';
import { reconcile } from '../../reconciling/reconcile.ts';
import { returnIdleLeases } from '../../reconciling/return-leases.ts';
import {
  EventAudit,
  type EventAuditPorts,
  JobAudit,
  type JobAuditPorts,
} from '../../reconciling/row-audits.ts';
import { log } from '../../telemetry/logger.ts';
import { countContradictions } from '../../telemetry/metrics.ts';

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

type AuditPorts = EventAuditPorts & JobAuditPorts & AccountAuditPorts & ListAuditPorts;

/** The marks come first: sums over open jobs are right only once each open job has its mark. */
const allAudits = (ports: AuditPorts): Audit[] => [
  new EventAudit(ports),
  new JobAudit(ports),
  new AccountAudit(ports),
  new ListAudit(ports),
];
