import { dynamo } from '../../aws/dynamo.ts';
import { log } from '../../aws/logger.ts';
import { systemClock } from '../../clock.ts';
import { setting } from '../../environment.ts';
import { findOverdue } from '../../sweeping/overdue.ts';
import { GRACE_MILLISECONDS, overdueJobSchema, sweepJob } from '../../videos/jobs/sweep-job.ts';
import { jobQueue } from './deployed.ts';

const table = setting('jobsTable');
const ports = { jobQueue: jobQueue(), log };

export const handler = async (): Promise<void> => {
  const dueBefore = systemClock().getTime() - GRACE_MILLISECONDS;
  for await (const job of findOverdue(dynamo, table, overdueJobSchema, dueBefore)) {
    await sweepJob(job, ports);
  }
};
