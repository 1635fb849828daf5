import { systemClock } from '../../clock.ts';
import { overdueJobRows, overdueJobs, quarantine, queueOf } from '../../deployed/videos.ts';
import { sweepOverdue } from '../../sweeping/sweep.ts';
import { type DueRow, dueRowSchema } from '../../sweeping/swept-rows.ts';
import { log } from '../../telemetry/logger.ts';
import { countQuarantinedRow, countSweptRow, tellUnreadable } from '../../telemetry/metrics.ts';
import { GRACE_MILLISECONDS, type SweepJobPorts, sweepJob } from '../../videos/jobs/sweep-job.ts';

const overdue = { rows: overdueJobRows(), schema: dueRowSchema, graceMilliseconds: GRACE_MILLISECONDS };
const ports: SweepJobPorts = {
  sweptRows: overdueJobs(),
  quarantine: quarantine(),
  countQuarantined: countQuarantinedRow,
  queueOf: queueOf(),
  now: systemClock,
  log,
};

export const handler = (): Promise<void> =>
  sweepOverdue(overdue, sweep, { now: systemClock, tellUnreadable, log });

async function sweep(job: DueRow): Promise<void> {
  countSweptRow('jobs');
  await sweepJob(job, ports);
}
