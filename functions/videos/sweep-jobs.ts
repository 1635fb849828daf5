import * as v from 'valibot';
import { dynamo } from '../aws/dynamo.ts';
import { SqsFairQueue } from '../aws/fair-queue.ts';
import { log } from '../aws/logger.ts';
import { sqs } from '../aws/sqs.ts';
import { systemClock } from '../clock.ts';
import { readEnvironment } from '../environment.ts';
import { findOverdue } from '../overdue.ts';
import type { JobMessage } from './job-queue.ts';

/** Past the poller's own time-out, so that a slow worker is not mistaken for a lost message. */
const GRACE_MILLISECONDS = 90_000;

const { JOBS_TABLE, JOBS_QUEUE_URL } = readEnvironment({
  JOBS_TABLE: v.string(),
  JOBS_QUEUE_URL: v.string(),
});
const queue = new SqsFairQueue<JobMessage>(sqs, JOBS_QUEUE_URL);

const overdueJob = v.object({ id: v.string(), workspace_id: v.string(), seq: v.number() });

/** Sends again the messages of jobs whose chain has stopped. There should be none: each is logged. */
export const handler = async (): Promise<void> => {
  const dueBefore = systemClock().getTime() - GRACE_MILLISECONDS;
  for await (const job of findOverdue(dynamo, JOBS_TABLE, overdueJob, dueBefore)) {
    log.warn('job was overdue', { job_id: job.id });
    await queue.send({ v: 1, job_id: job.id, seq: job.seq }, job.workspace_id, 0);
  }
};
