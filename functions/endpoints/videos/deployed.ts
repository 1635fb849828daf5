import { dynamo } from '../../aws/dynamo.ts';
import { type FairQueue, SqsFairQueue } from '../../aws/fair-queue.ts';
import { sqs } from '../../aws/sqs.ts';
import { setting } from '../../environment.ts';
import type { JobMessage } from '../../videos/jobs/job-queue.ts';
import { JobSteps } from '../../videos/jobs/job-steps.ts';
import { JobStore } from '../../videos/jobs/job-store.ts';
import { providersVariable } from '../../videos/providers/provider-settings.ts';
import { accountStore } from '../credits/deployed.ts';
import { eventStore } from '../webhooks/deployed.ts';

export const jobStore = () => new JobStore(dynamo, setting('jobsTable'));
export const jobQueue = (): FairQueue<JobMessage> => new SqsFairQueue(sqs, setting('jobsQueueUrl'));
export const videoProviders = () => setting('videoProviders', providersVariable);

export const jobSteps = () =>
  new JobSteps(dynamo, { jobs: jobStore(), events: eventStore(), accounts: accountStore() });
