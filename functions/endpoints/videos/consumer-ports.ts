import { setTimeout as wait } from 'node:timers/promises';
import { log } from '../../aws/logger.ts';
import { countRefusedKey } from '../../aws/metrics.ts';
import { ownRole } from '../../aws/own-role.ts';
import { systemClock } from '../../clock.ts';
import { setting } from '../../environment.ts';
import type { Job } from '../../videos/jobs/job.ts';
import { FigureNotes } from '../../videos/routing/figure-notes.ts';
import { type OwnAccountPorts, ownAccount } from '../../videos/worker/own-account.ts';
import { ProviderGate } from '../../videos/worker/provider-gate.ts';
import { figureStore, overdueJobs } from './deployed.ts';
import { type ContextChoices, workerPorts } from './worker-ports.ts';

/** The limit of one exchange with a provider, well within the functions' own time-outs. */
export const PROVIDER_MILLISECONDS = 20_000;

const figures = new FigureNotes({ store: figureStore(), now: systemClock, random: Math.random, log });

/** What the consumers of the job queues need, beside their queues. */
export function consumerPorts(choices: ContextChoices) {
  const account: OwnAccountPorts = {
    ...ownRole(),
    bucket: setting('resultsBucket'),
    now: systemClock,
  };
  return {
    ...workerPorts({ accountFor: (settings) => ownAccount(settings, account), ...choices }),
    sweptRows: overdueJobs(),
    gate: new ProviderGate({ now: systemClock, log, noteRest: figures.noteRest }),
    noteEnd: (job: Job) => figures.noteEnd(job),
    countRefusedKey,
    random: Math.random,
    pause: wait,
  };
}

/** The batch is done even if its figures cannot be written. */
export function thenWritingFigures<Args extends unknown[], Answer>(
  consume: (...args: Args) => Promise<Answer>,
): (...args: Args) => Promise<Answer> {
  return async (...args) => {
    const answer = await consume(...args);
    await figures.flush();
    return answer;
  };
}
