import type { Account } from '../money/account.ts';
import type { LeaseStore } from '../money/lease-store.ts';
import type { Log } from '../telemetry/log.ts';

const IDLE_MILLISECONDS = 3_600_000;

/** What is left then is returned an hour later, because the function has other work to do. */
const RUN_MILLISECONDS = 60_000;

export interface ReturnPorts {
  readonly leases: Pick<LeaseStore, 'rows' | 'end'>;
  readonly now: () => Date;
  readonly log: Pick<Log, 'info'>;
}

/**
 * Ends the leases of workspaces that have no open job and were lent nothing for an hour. The next job begins a new one.
 */
export async function returnIdleLeases({ leases, now, log }: ReturnPorts): Promise<void> {
  const begun = now().getTime();
  const idleSince = new Date(begun - IDLE_MILLISECONDS).toISOString();
  const rows = await leases.rows();
  let returned = 0;
  for (const lease of rows.leases.filter((each) => isIdle(each, idleSince))) {
    if (now().getTime() >= begun + RUN_MILLISECONDS) break;
    if (await leases.end(lease)) returned++;
  }
  log.info('leases returned', { leases: rows.leases.length, returned });
}

/** A lease that holds money without a job is for the audit to correct. */
const isIdle = ({ open_jobs, reserved, limits }: Account, idleSince: string): boolean =>
  open_jobs === 0 && reserved === 0 && (limits.lifetime?.updated_at ?? '') < idleSince;
