import { setTimeout as wait } from 'node:timers/promises';
import { fromEnv } from '@aws-sdk/credential-provider-env';
import * as v from 'valibot';
import { log } from '../../aws/logger.ts';
import { s3 } from '../../aws/s3.ts';
import { systemClock } from '../../clock.ts';
import { setting } from '../../environment.ts';
import { type OwnAccountPorts, ownAccount } from '../../videos/worker/own-account.ts';
import { ProviderGate } from '../../videos/worker/provider-gate.ts';
import { overdueJobs } from './deployed.ts';
import { type ContextChoices, workerPorts } from './worker-ports.ts';

/** One exchange with a provider; well within the functions' own time-outs. */
export const PROVIDER_MILLISECONDS = 20_000;

/** What the consumers of the queues of jobs are given, beside their queues. */
export function consumerPorts(choices: ContextChoices) {
  const account: OwnAccountPorts = {
    region: setting('awsRegion'),
    credentials: fromEnv(),
    endpoint: setting('awsEndpointUrl', v.optional(v.string())),
    s3,
    bucket: setting('resultsBucket'),
    now: systemClock,
  };
  return {
    ...workerPorts({ accountFor: (settings) => ownAccount(settings, account), ...choices }),
    overdueRows: overdueJobs(),
    gate: new ProviderGate({ now: systemClock, log }),
    random: Math.random,
    pause: wait,
  };
}
