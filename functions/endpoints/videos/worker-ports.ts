import { randomUUID } from 'node:crypto';
import { systemClock } from '../../clock.ts';
import { parseAllowedHosts } from '../../egress/url-policy.ts';
import { setting } from '../../environment.ts';
import { log } from '../../telemetry/logger.ts';
import { countSettledJob } from '../../telemetry/metrics.ts';
import type { Job } from '../../videos/jobs/job.ts';
import { isProvidersFailure } from '../../videos/jobs/job-failure.ts';
import { adapterOf } from '../../videos/providers/provider-settings.ts';
import { providerOf } from '../../videos/providers/registry.ts';
import type { CancelPorts } from '../../videos/worker/cancel-job.ts';
import { ProviderContexts, type ProviderContextsOptions } from '../../videos/worker/provider-contexts.ts';
import { providerKeys } from '../provider-keys/deployed.ts';
import { eventQueue } from '../webhooks/deployed.ts';
import { deployedCatalogue, jobSteps, jobStore, videoProviders } from './deployed.ts';

/** Counts a job that has ended. */
function countSettled(outcome: string, job: Job): void {
  const { provider, error_kind: failure, created_at, completed_at, cost_micros } = job;
  countSettledJob({
    outcome,
    provider: provider ?? 'unknown',
    isProvidersFailure: failure !== undefined && isProvidersFailure(failure),
    seconds: (Date.parse(completed_at ?? created_at) - Date.parse(created_at)) / 1000,
    costMicros: cost_micros ?? 0,
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
    newStepName: randomUUID,
    countSettled,
    log,
  } satisfies CancelPorts;
}
