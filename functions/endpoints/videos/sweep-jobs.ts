import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { SqsFairQueue } from '../../aws/fair-queue.ts';
import { log } from '../../aws/logger.ts';
import { sqs } from '../../aws/sqs.ts';
import { systemClock } from '../../clock.ts';
import { readEnvironment } from '../../environment.ts';
import { findOverdue } from '../../sweeping/overdue.ts';
import type { JobMessage } from '../../videos/jobs/job-queue.ts';
import { GRACE_MILLISECONDS, overdueJobSchema, sweepJob } from '../../videos/jobs/sweep-job.ts';

const { JOBS_TABLE, JOBS_QUEUE_URL } = readEnvironment({
  JOBS_TABLE: v.string(),
  JOBS_QUEUE_URL: v.string(),
});
const jobQueue = new SqsFairQueue<JobMessage>(sqs, JOBS_QUEUE_URL);

export const handler = async (): Promise<void> => {
  const dueBefore = systemClock().getTime() - GRACE_MILLISECONDS;
  for await (const job of findOverdue(dynamo, JOBS_TABLE, overdueJobSchema, dueBefore)) {
    await sweepJob(job, { jobQueue, log });
  }
};
