import { AccountAudit, type AccountAuditPorts } from './account-audit.ts';
import type { Audit } from './audit.ts';
import { EventAudit, type EventAuditPorts } from './event-audit.ts';
import { JobAudit, type JobAuditPorts } from './job-audit.ts';
import { ListAudit, type ListAuditPorts } from './list-audit.ts';

export type AuditPorts = EventAuditPorts & JobAuditPorts & AccountAuditPorts & ListAuditPorts;

/** The marks come first: sums over open jobs are right only once each open job has its mark. */
export const allAudits = (ports: AuditPorts): Audit[] => [
  new EventAudit(ports),
  new JobAudit(ports),
  new AccountAudit(ports),
  new ListAudit(ports),
];
