import { setTimeout as wait } from 'node:timers/promises';
import { fromEnv } from '@aws-sdk/credential-provider-env';
import * as v from 'valibot';
import { batchHandler } from '../../aws/consume-batch.ts';
import { log } from '../../aws/logger.ts';
import { countUnderpricedJob } from '../../aws/metrics.ts';
import { s3 } from '../../aws/s3.ts';
import { systemClock } from '../../clock.ts';
import { parseAllowedHosts } from '../../egress/allowed-hosts.ts';
import { createEgress } from '../../egress/egress-fetch.ts';
import { setting } from '../../environment.ts';
import { newId } from '../../ids.ts';
import { retentionDaysVariable } from '../../retention-days.ts';
import { InputObjects } from '../../videos/inputs/input-objects.ts';
import { type ProviderInputsPorts, WorkspaceInputs } from '../../videos/inputs/provider-inputs.ts';
import { jobMessageSchema } from '../../videos/jobs/job-queue.ts';
import { ResultStore } from '../../videos/results/result-store.ts';
import { FigureNotes } from '../../videos/routing/figure-notes.ts';
import { type OwnAccountPorts, ownAccount } from '../../videos/worker/own-account.ts';
import { ProviderGate } from '../../videos/worker/provider-gate.ts';
import { type TakeMessagePorts, takeMessage } from '../../videos/worker/take-message.ts';
import { fileStore } from '../files/deployed.ts';
import { workspaceStore } from '../workspaces/deployed.ts';
import { figureStore, jobQueue, overdueJobs } from './deployed.ts';
import { workerPorts } from './worker-ports.ts';

/** One exchange with a provider; well within the function's own time-out. */
const PROVIDER_MILLISECONDS = 20_000;

const bucket = setting('resultsBucket');
const allowed = parseAllowedHosts(setting('privateHosts'));
const inputs: ProviderInputsPorts = {
  fetch: createEgress({ allowed, deadlineMilliseconds: PROVIDER_MILLISECONDS }),
  files: fileStore(),
  objects: new InputObjects(s3),
  filesBucket: setting('filesBucket'),
  inlineBucket: bucket,
  now: systemClock,
};
const account: OwnAccountPorts = {
  region: setting('awsRegion'),
  credentials: fromEnv(),
  endpoint: setting('awsEndpointUrl', v.optional(v.string())),
  s3,
  bucket,
  now: systemClock,
};
const workspaces = workspaceStore();
const stageDays = setting('resultDays', retentionDaysVariable);
const figures = new FigureNotes({ store: figureStore(), now: systemClock, random: Math.random, log });
const ports: TakeMessagePorts = {
  ...workerPorts({
    milliseconds: PROVIDER_MILLISECONDS,
    inputsOf: (workspaceId) => new WorkspaceInputs(workspaceId, inputs),
    accountFor: (settings) => ownAccount(settings, account),
  }),
  jobQueue: jobQueue(),
  overdueJobs: overdueJobs(),
  results: new ResultStore(s3, bucket),
  keptDays: async (workspaceId) =>
    (await workspaces.findById(workspaceId))?.video_retention_days ?? stageDays,
  countUnderpriced: countUnderpricedJob,
  noteEnd: (job) => figures.noteEnd(job),
  gate: new ProviderGate({ now: systemClock, log, noteRest: figures.noteRest }),
  newGenerationId: () => newId.generation(systemClock()),
  random: Math.random,
  pause: wait,
};

const consume = batchHandler(jobMessageSchema, log, (message) => takeMessage(message, ports));

export const handler: typeof consume = async (...call) => {
  const answer = await consume(...call);
  await figures.flush();
  return answer;
};
