import { setTimeout as wait } from 'node:timers/promises';
import { batchHandler, type SqsHandler } from '../aws/consumers.ts';
import { ownRole } from '../aws/own-role.ts';
import { systemClock } from '../clock.ts';
import { setting } from '../environment.ts';
import { log } from '../telemetry/logger.ts';
import { countRefusedKey } from '../telemetry/metrics.ts';
import type { Job } from '../videos/jobs/job.ts';
import { type JobMessage, jobMessageSchema } from '../videos/jobs/job-queue.ts';
import { FigureNotes } from '../videos/routing/figure-notes.ts';
import { type MovingPorts, type TakeMessagePorts, takeMessage } from '../videos/worker/moving-job.ts';
import { type OwnAccountPorts, ownAccount } from '../videos/worker/provider-contexts.ts';
import { ProviderGate, type ProviderGatePorts } from '../videos/worker/provider-gate.ts';
import { type ContextChoices, figureStore, overdueJobs, workerPorts } from './videos.ts';

/** The limit of one exchange with a provider, well within the functions' own time-outs. */
export const PROVIDER_MILLISECONDS = 20_000;

/** What the consumers of the job queues need, beside their queues. */
export function consumerPorts(choices: ContextChoices, gatePorts: Pick<ProviderGatePorts, 'slowPolls'> = {}) {
  const account: OwnAccountPorts = { ...ownRole(), bucket: setting('resultsBucket'), now: systemClock };
  const figures = new FigureNotes({ store: figureStore(), now: systemClock, random: Math.random, log });
  return {
    ...workerPorts({ accountFor: (settings) => ownAccount(settings, account), ...choices }),
    sweptRows: overdueJobs(),
    gate: new ProviderGate({ now: systemClock, log, noteRest: figures.noteRest, ...gatePorts }),
    noteEnd: (job: Job) => figures.noteEnd(job),
    writeFigures: () => figures.flush(),
    countRefusedKey,
    random: Math.random,
    pause: wait,
  };
}

/** What takes each job of a batch a step further. The batch is done even if its figures cannot be written. */
export function jobsHandler<Ports extends MovingPorts>(
  step: (message: JobMessage, ports: Ports) => Promise<void>,
  ports: Ports & TakeMessagePorts & { readonly writeFigures: () => Promise<void> },
): SqsHandler {
  const consume = batchHandler(jobMessageSchema, { log, now: systemClock }, (message) =>
    takeMessage(message, ports, step),
  );
  return async (event, context) => {
    const answer = await consume(event, context);
    await ports.writeFigures();
    return answer;
  };
}
