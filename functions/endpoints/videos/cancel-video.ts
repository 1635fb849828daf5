import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { SqsFairQueue } from '../../aws/fair-queue.ts';
import { log } from '../../aws/logger.ts';
import { countSettledJob } from '../../aws/metrics.ts';
import { sqs } from '../../aws/sqs.ts';
import { systemClock } from '../../clock.ts';
import { parseAllowedHosts } from '../../egress/allowed-hosts.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { json } from '../../http/response.ts';
import { findVisibleJob } from '../../videos/jobs/find-job.ts';
import { JobSteps } from '../../videos/jobs/job-steps.ts';
import { JobStore } from '../../videos/jobs/job-store.ts';
import { describeJob } from '../../videos/jobs/job-view.ts';
import { providersVariable } from '../../videos/providers/provider-settings.ts';
import { providerOf } from '../../videos/providers/registry.ts';
import { type CancelPorts, cancelJob } from '../../videos/worker/cancel-job.ts';
import { ProviderContexts } from '../../videos/worker/provider-contexts.ts';
import type { EventMessage } from '../../webhooks/events/event-queue.ts';
import { deployedProviderKeys } from '../provider-keys/deployed-keys.ts';

/** The caller waits for it. */
const PROVIDER_MILLISECONDS = 5_000;

const environment = readEnvironment({
  JOBS_TABLE: v.string(),
  EVENTS_TABLE: v.string(),
  ACCOUNTS_TABLE: v.string(),
  EVENTS_QUEUE_URL: v.string(),
  PRIVATE_HOSTS: v.string(),
  VIDEO_PROVIDERS: providersVariable,
});
const allowedHosts = parseAllowedHosts(environment.PRIVATE_HOSTS);
const providerKeys = deployedProviderKeys();
const contexts = new ProviderContexts({
  providers: environment.VIDEO_PROVIDERS,
  allowedHosts,
  milliseconds: PROVIDER_MILLISECONDS,
  keyOf: (workspaceId, provider, use) => providerKeys.find(workspaceId, provider, use),
  now: systemClock,
});
const ports: CancelPorts = {
  jobs: new JobStore(dynamo, environment.JOBS_TABLE),
  steps: new JobSteps(dynamo, {
    jobs: environment.JOBS_TABLE,
    events: environment.EVENTS_TABLE,
    accounts: environment.ACCOUNTS_TABLE,
  }),
  eventQueue: new SqsFairQueue<EventMessage>(sqs, environment.EVENTS_QUEUE_URL),
  provider: providerOf,
  providerContext: (provider, job) => contexts.of(provider, job),
  now: systemClock,
  countSettled: countSettledJob,
  log,
};

export const handler = routeHandler('cancel-video', async (call) => {
  const cancelled = await cancelJob(await findVisibleJob(call, ports.jobs), ports);
  return json(200, describeJob(cancelled, call.publicUrl));
});
