import { fromEnv } from '@aws-sdk/credential-provider-env';
import * as v from 'valibot';
import { batchHandler } from '../../aws/consume-batch.ts';
import { dynamo } from '../../aws/dynamo.ts';
import { SqsFairQueue } from '../../aws/fair-queue.ts';
import { log } from '../../aws/logger.ts';
import { countSettledJob, countUnderpricedJob } from '../../aws/metrics.ts';
import { s3 } from '../../aws/s3.ts';
import { sqs } from '../../aws/sqs.ts';
import { systemClock } from '../../clock.ts';
import { parseAllowedHosts } from '../../egress/allowed-hosts.ts';
import { createEgress } from '../../egress/egress-fetch.ts';
import { readEnvironment } from '../../environment.ts';
import { FileStore } from '../../files/file-store.ts';
import { newId } from '../../ids.ts';
import { retentionDaysVariable } from '../../retention-days.ts';
import { InputObjects } from '../../videos/inputs/input-objects.ts';
import { type ProviderInputsPorts, WorkspaceInputs } from '../../videos/inputs/provider-inputs.ts';
import { type JobMessage, jobMessageSchema } from '../../videos/jobs/job-queue.ts';
import { JobSteps } from '../../videos/jobs/job-steps.ts';
import { JobStore } from '../../videos/jobs/job-store.ts';
import { providersVariable } from '../../videos/providers/provider-settings.ts';
import { providerOf } from '../../videos/providers/registry.ts';
import { ResultStore } from '../../videos/results/result-store.ts';
import { advanceJob } from '../../videos/worker/advance-job.ts';
import type { AdvancePorts } from '../../videos/worker/moving-job.ts';
import { type OwnAccountPorts, ownAccount } from '../../videos/worker/own-account.ts';
import { ProviderContexts } from '../../videos/worker/provider-contexts.ts';
import { ProviderGate } from '../../videos/worker/provider-gate.ts';
import type { EventMessage } from '../../webhooks/events/event-queue.ts';
import { WorkspaceStore } from '../../workspaces/workspace-store.ts';
import { deployedProviderKeys } from '../provider-keys/deployed-keys.ts';

const environment = readEnvironment({
  JOBS_TABLE: v.string(),
  EVENTS_TABLE: v.string(),
  ACCOUNTS_TABLE: v.string(),
  JOBS_QUEUE_URL: v.string(),
  EVENTS_QUEUE_URL: v.string(),
  RESULTS_BUCKET: v.string(),
  RESULT_DAYS: retentionDaysVariable,
  WORKSPACES_TABLE: v.string(),
  FILES_TABLE: v.string(),
  FILES_BUCKET: v.string(),
  PRIVATE_HOSTS: v.string(),
  AWS_REGION: v.string(),
  AWS_ENDPOINT_URL: v.optional(v.string()),
  VIDEO_PROVIDERS: providersVariable,
});

/** One exchange with a provider; well within the function's own time-out. */
const PROVIDER_MILLISECONDS = 20_000;

const allowedHosts = parseAllowedHosts(environment.PRIVATE_HOSTS);
const egress = createEgress({ allowed: allowedHosts, deadlineMilliseconds: PROVIDER_MILLISECONDS });
const providerKeys = deployedProviderKeys();
const inputs: ProviderInputsPorts = {
  fetch: egress,
  files: new FileStore(dynamo, environment.FILES_TABLE),
  objects: new InputObjects(s3),
  filesBucket: environment.FILES_BUCKET,
  inlineBucket: environment.RESULTS_BUCKET,
  now: systemClock,
};
const account: OwnAccountPorts = {
  region: environment.AWS_REGION,
  credentials: fromEnv(),
  endpoint: environment.AWS_ENDPOINT_URL,
  s3,
  bucket: environment.RESULTS_BUCKET,
  now: systemClock,
};
const contexts = new ProviderContexts({
  providers: environment.VIDEO_PROVIDERS,
  allowedHosts,
  milliseconds: PROVIDER_MILLISECONDS,
  keyOf: (workspaceId, provider, use) => providerKeys.find(workspaceId, provider, use),
  inputsOf: (workspaceId) => new WorkspaceInputs(workspaceId, inputs),
  accountFor: (settings) => ownAccount(settings, account),
  now: systemClock,
});

const workspaces = new WorkspaceStore(dynamo, environment.WORKSPACES_TABLE);
const ports: AdvancePorts = {
  jobs: new JobStore(dynamo, environment.JOBS_TABLE),
  steps: new JobSteps(dynamo, {
    jobs: environment.JOBS_TABLE,
    events: environment.EVENTS_TABLE,
    accounts: environment.ACCOUNTS_TABLE,
  }),
  jobQueue: new SqsFairQueue<JobMessage>(sqs, environment.JOBS_QUEUE_URL),
  eventQueue: new SqsFairQueue<EventMessage>(sqs, environment.EVENTS_QUEUE_URL),
  results: new ResultStore(s3, environment.RESULTS_BUCKET),
  keptDays: async (workspaceId) =>
    (await workspaces.findById(workspaceId))?.video_retention_days ?? environment.RESULT_DAYS,
  provider: providerOf,
  providerContext: (provider, job) => contexts.of(provider, job),
  gate: new ProviderGate({ now: systemClock, log }),
  newGenerationId: () => newId.generation(systemClock()),
  now: systemClock,
  random: Math.random,
  countSettled: countSettledJob,
  countUnderpriced: countUnderpricedJob,
  log,
};

export const handler = batchHandler(jobMessageSchema, log, (message) => advanceJob(message, ports));
