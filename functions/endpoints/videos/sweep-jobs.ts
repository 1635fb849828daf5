import { dynamo } from '../../aws/dynamo.ts';
import { log } from '../../aws/logger.ts';
import { tellUnreadable } from '../../aws/tell-unreadable.ts';
import { systemClock } from '../../clock.ts';
import { setting } from '../../environment.ts';
import { sweepOverdue } from '../../sweeping/overdue.ts';
import { OverdueJobs } from '../../videos/jobs/overdue-jobs.ts';
import {
  GRACE_MILLISECONDS,
  overdueIdSchema,
  type SweepJobPorts,
  sweepJob,
} from '../../videos/jobs/sweep-job.ts';
import { jobQueue } from './deployed.ts';

const table = setting('jobsTable');
const overdue = { table, schema: overdueIdSchema, graceMilliseconds: GRACE_MILLISECONDS };
const ports: SweepJobPorts = {
  overdueJobs: new OverdueJobs(dynamo, table),
  jobQueue: jobQueue(),
  now: systemClock,
  log,
};

export const handler = (): Promise<void> =>
  sweepOverdue(overdue, (job) => sweepJob(job, ports), {
    client: dynamo,
    now: systemClock,
    tellUnreadable,
    log,
  });
