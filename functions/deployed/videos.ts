import { randomBytes } from 'node:crypto';
import { dynamo } from '../aws/dynamo.ts';
import { SqsFairQueue } from '../aws/fair-queue.ts';
import { sqs } from '../aws/sqs.ts';
import { systemClock } from '../clock.ts';
import { parseAllowedHosts } from '../egress/url-policy.ts';
import { setting } from '../environment.ts';
import { readPolicy } from '../guardrails/workspace-policy.ts';
import type { AuthenticatedCall } from '../http/call.ts';
import { shareVariable } from '../money/micros.ts';
import { OverdueRows } from '../sweeping/sweep.ts';
import { SweptRows } from '../sweeping/swept-rows.ts';
import { log } from '../telemetry/logger.ts';
import { countSettledJob, tellUnreadable } from '../telemetry/metrics.ts';
import { bundledCatalogue } from '../videos/catalogue/catalogue.ts';
import { offerCacheVariable } from '../videos/catalogue/offer.ts';
import { OfferStore } from '../videos/catalogue/offer-store.ts';
import { stageCatalogue } from '../videos/catalogue/stage-catalogue.ts';
import type { Job } from '../videos/jobs/job.ts';
import { isProvidersFailure } from '../videos/jobs/job-failure.ts';
import { type JobQueue, type QueueOf, queueByPhase } from '../videos/jobs/job-queue.ts';
import { JobSteps } from '../videos/jobs/job-steps.ts';
import { findVisibleJob, JobStore } from '../videos/jobs/job-store.ts';
import { Quarantine } from '../videos/jobs/quarantine.ts';
import { JOB_ROWS } from '../videos/jobs/sweep-job.ts';
import { adapterOf, providersVariable } from '../videos/providers/provider-settings.ts';
import { providerOf } from '../videos/providers/registry.ts';
import { readCache } from '../videos/read-cache.ts';
import type { ChooserPorts } from '../videos/routing/choose-for-caller.ts';
import { FigureStore, figureBook } from '../videos/routing/figure-store.ts';
import type { CancelPorts } from '../videos/worker/cancel-job.ts';
import { ProviderContexts, type ProviderContextsOptions } from '../videos/worker/provider-contexts.ts';
import { ShareStore } from '../videos/worker/share-store.ts';
import { providerKeys } from './secrets.ts';
import { accountStore, guardrailStore, providerKeyStore, workspaceStore } from './stores.ts';
import { eventQueue, eventStore } from './webhooks.ts';

export const jobStore = () => new JobStore(dynamo, setting('jobsTable'), tellUnreadable);
export const submitQueue = (): JobQueue => new SqsFairQueue(sqs, setting('submitsQueueUrl'));
export const pollQueue = (): JobQueue => new SqsFairQueue(sqs, setting('jobsQueueUrl'));
export const offerStore = () => new OfferStore(dynamo, setting('endpointsTable'));
export const deployedCatalogue = () =>
  stageCatalogue(bundledCatalogue, {
    store: offerStore(),
    cacheSeconds: setting('endpointCacheSeconds', offerCacheVariable),
    now: systemClock,
  });
export const figureStore = () => new FigureStore(dynamo, setting('figuresTable'));
export const copyQueue = (): JobQueue => new SqsFairQueue(sqs, setting('copiesQueueUrl'));
export const queueOf = (): QueueOf =>
  queueByPhase({ submits: submitQueue(), polls: pollQueue(), copies: copyQueue() });
export const shareStore = () => new ShareStore(dynamo, setting('sharesTable'));
export const videoProviders = () => setting('videoProviders', providersVariable);

const jobStores = () => ({ jobs: jobStore(), events: eventStore(), accounts: accountStore() });

const jobSteps = () => new JobSteps(dynamo, jobStores());
export const overdueJobs = () => new SweptRows(dynamo, setting('jobsTable'), JOB_ROWS);
export const overdueJobRows = () => new OverdueRows(dynamo, setting('jobsTable'));
export const quarantine = () => new Quarantine(dynamo, jobStores(), log);

/** How long a warm function may miss a change of a workspace's settings. */
const SETTINGS_MILLISECONDS = 30_000;

/** What a submit needs to know to choose who serves it. */
export function chooserPorts(): ChooserPorts {
  const cached = { milliseconds: SETTINGS_MILLISECONDS, now: systemClock };
  const stores = { client: dynamo, workspaces: workspaceStore(), guardrails: guardrailStore() };
  const keys = providerKeyStore();
  return {
    catalogue: deployedCatalogue(),
    providers: videoProviders(),
    policyOf: readCache({ ...cached, read: (id) => readPolicy(id, stores) }),
    guardrailOf: readCache({ ...cached, read: (id) => stores.guardrails.find(id) }),
    dataDiscount: setting('dataDiscount', shareVariable),
    // Not cached: whoever has just stored a key tries it next, and few requests need to know.
    keysOf: (id) => Array.fromAsync(keys.list(id)),
    figures: figureBook({ store: figureStore(), now: systemClock, log }),
    now: systemClock,
  };
}

/** Counts a job that has ended. */
function countSettled(outcome: string, job: Job): void {
  const { provider, error_kind: failure, created_at, completed_at, cost_micros, calls_back, callbacks } = job;
  countSettledJob({
    outcome,
    provider: provider ?? 'unknown',
    isProvidersFailure: failure !== undefined && isProvidersFailure(failure),
    seconds: (Date.parse(completed_at ?? created_at) - Date.parse(created_at)) / 1000,
    costMicros: cost_micros ?? 0,
    isTold: calls_back === undefined || outcome === 'cancelled' ? undefined : (callbacks ?? 0) > 0,
  });
}

export type ContextChoices = Pick<
  ProviderContextsOptions,
  'milliseconds' | 'silenceMilliseconds' | 'inputsOf' | 'accountFor'
> &
  Partial<Pick<ProviderContextsOptions, 'keyOf'>>;

export function providerContexts(choices: ContextChoices): ProviderContexts {
  const keys = providerKeys();
  return new ProviderContexts({
    catalogue: deployedCatalogue(),
    providers: videoProviders(),
    allowedHosts: parseAllowedHosts(setting('privateHosts')),
    keyOf: (workspaceId, provider, use) => keys.find(workspaceId, provider, use),
    now: systemClock,
    ...choices,
  });
}

/** What every function needs that talks to providers about jobs and may end them. */
export function workerPorts(choices: ContextChoices) {
  const contexts = providerContexts(choices);
  const providers = videoProviders();
  return {
    jobs: jobStore(),
    steps: jobSteps(),
    eventQueue: eventQueue(),
    catalogue: deployedCatalogue(),
    provider: (name) => providerOf(adapterOf(name, providers)),
    providerContext: (provider, job) => contexts.of(provider, job),
    now: systemClock,
    newStepName: () => randomBytes(9).toString('base64url'),
    countSettled,
    log,
  } satisfies CancelPorts;
}

/** Finds the job of a request, if its caller may see it. @throws NotFound */
export function visibleJobs() {
  const jobs = jobStore();
  const workspaces = workspaceStore();
  return (call: AuthenticatedCall<{ video: string }>) => findVisibleJob(call, jobs, workspaces);
}
