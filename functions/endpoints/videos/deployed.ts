import { dynamo } from '../../aws/dynamo.ts';
import { type FairQueue, SqsFairQueue } from '../../aws/fair-queue.ts';
import { sqs } from '../../aws/sqs.ts';
import { systemClock } from '../../clock.ts';
import { setting } from '../../environment.ts';
import { OverdueRows } from '../../sweeping/sweep.ts';
import { SweptRows } from '../../sweeping/swept-rows.ts';
import { log } from '../../telemetry/logger.ts';
import { tellUnreadable } from '../../telemetry/tell-unreadable.ts';
import { bundledCatalogue } from '../../videos/catalogue/catalogue.ts';
import { OfferStore } from '../../videos/catalogue/offer-store.ts';
import { offerCacheVariable, stageCatalogue } from '../../videos/catalogue/stage-catalogue.ts';
import { type JobMessage, type QueueOf, queueByPhase } from '../../videos/jobs/job-queue.ts';
import { JobSteps } from '../../videos/jobs/job-steps.ts';
import { JobStore } from '../../videos/jobs/job-store.ts';
import { Quarantine } from '../../videos/jobs/quarantine.ts';
import { JOB_ROWS } from '../../videos/jobs/sweep-job.ts';
import { providersVariable } from '../../videos/providers/provider-settings.ts';
import { FigureStore } from '../../videos/routing/figure-store.ts';
import { accountStore } from '../credits/deployed.ts';
import { eventStore } from '../webhooks/deployed.ts';

export const jobStore = () => new JobStore(dynamo, setting('jobsTable'), tellUnreadable);
export const jobQueue = (): FairQueue<JobMessage> => new SqsFairQueue(sqs, setting('jobsQueueUrl'));
export const offerStore = () => new OfferStore(dynamo, setting('endpointsTable'));
export const deployedCatalogue = () =>
  stageCatalogue(bundledCatalogue, {
    store: offerStore(),
    cacheSeconds: setting('endpointCacheSeconds', offerCacheVariable),
    now: systemClock,
  });
export const figureStore = () => new FigureStore(dynamo, setting('figuresTable'));
export const copyQueue = (): FairQueue<JobMessage> => new SqsFairQueue(sqs, setting('copiesQueueUrl'));
export const queueOf = (): QueueOf => queueByPhase(jobQueue(), copyQueue());
export const videoProviders = () => setting('videoProviders', providersVariable);

const jobStores = () => ({ jobs: jobStore(), events: eventStore(), accounts: accountStore() });

export const jobSteps = () => new JobSteps(dynamo, jobStores());
export const overdueJobs = () => new SweptRows(dynamo, setting('jobsTable'), JOB_ROWS);
export const overdueJobRows = () => new OverdueRows(dynamo, setting('jobsTable'));
export const quarantine = () => new Quarantine(dynamo, jobStores(), log);
