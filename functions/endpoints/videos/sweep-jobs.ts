import { dynamo } from '../../aws/dynamo.ts';
import { log } from '../../aws/logger.ts';
import { countQuarantinedRow, countSweptRow } from '../../aws/metrics.ts';
import { tellUnreadable } from '../../aws/tell-unreadable.ts';
import { systemClock } from '../../clock.ts';
import { setting } from '../../environment.ts';
import { sweepOverdue } from '../../sweeping/overdue.ts';
import { type DueRow, dueRowSchema } from '../../sweeping/overdue-rows.ts';
import { GRACE_MILLISECONDS, type SweepJobPorts, sweepJob } from '../../videos/jobs/sweep-job.ts';
import { overdueJobs, quarantine, queueOf } from './deployed.ts';

const table = setting('jobsTable');
const overdue = { table, schema: dueRowSchema, graceMilliseconds: GRACE_MILLISECONDS };
const ports: SweepJobPorts = {
  overdueRows: overdueJobs(),
  quarantine: quarantine(),
  countQuarantined: countQuarantinedRow,
  queueOf: queueOf(),
  now: systemClock,
  log,
};

export const handler = (): Promise<void> =>
  sweepOverdue(overdue, sweep, { client: dynamo, now: systemClock, tellUnreadable, log });

async function sweep(job: DueRow): Promise<void> {
  countSweptRow('jobs');
  await sweepJob(job, ports);
}
