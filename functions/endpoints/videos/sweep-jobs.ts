import type * as v from 'valibot';
import { log } from '../../aws/logger.ts';
import { countQuarantinedJob, countSweptRow } from '../../aws/metrics.ts';
import { tellUnreadable } from '../../aws/tell-unreadable.ts';
import { systemClock } from '../../clock.ts';
import { sweepOverdue } from '../../sweeping/overdue.ts';
import {
  GRACE_MILLISECONDS,
  overdueIdSchema,
  type SweepJobPorts,
  sweepJob,
} from '../../videos/jobs/sweep-job.ts';
import { overdueJobRows, overdueJobs, quarantine, queueOf } from './deployed.ts';

const overdue = { rows: overdueJobRows(), schema: overdueIdSchema, graceMilliseconds: GRACE_MILLISECONDS };
const ports: SweepJobPorts = {
  overdueJobs: overdueJobs(),
  quarantine: quarantine(),
  countQuarantined: countQuarantinedJob,
  queueOf: queueOf(),
  now: systemClock,
  log,
};

export const handler = (): Promise<void> =>
  sweepOverdue(overdue, sweep, { now: systemClock, tellUnreadable, log });

async function sweep(job: v.InferOutput<typeof overdueIdSchema>): Promise<void> {
  countSweptRow('jobs');
  await sweepJob(job, ports);
}
