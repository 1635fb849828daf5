import { randomUUID } from 'node:crypto';
import { bundledCatalogue } from '../../functions/videos/catalogue/catalogue.ts';
import { type JobMessage, type JobQueue, queueByPhase } from '../../functions/videos/jobs/job-queue.ts';
import type { ProviderContext, VideoProvider } from '../../functions/videos/providers/provider.ts';
import type { ResultStore } from '../../functions/videos/results/result-store.ts';
import { advanceJob } from '../../functions/videos/worker/advance-job.ts';
import { copyJob } from '../../functions/videos/worker/copy-job.ts';
import type { CopyPorts } from '../../functions/videos/worker/moving-job.ts';
import { ProviderGate } from '../../functions/videos/worker/provider-gate.ts';
import type { JobLedger } from './job-ledger.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

export interface Workplace {
  readonly ledger: JobLedger;
  readonly provider: VideoProvider;
  readonly context: () => ProviderContext;
  readonly results: Pick<ResultStore, 'save'>;
}

export interface Work {
  /** The ids of the events that were sent. */
  readonly events: readonly string[];
  /** How many jobs cost more at their provider than was held for them. */
  readonly underpriced: number;
}

type Step = (message: JobMessage, ports: CopyPorts) => Promise<void>;

/** Works on real tables until a job has ended. The queue is a list, because a real one would wait for minutes. */
export async function workOff(
  jobId: string,
  { ledger, provider, context, results }: Workplace,
): Promise<Work> {
  const first: JobMessage = { v: 1, job_id: jobId, seq: 0 };
  const messages: { step: Step; message: JobMessage; dueAt: number }[] = [
    { step: advanceJob, message: first, dueAt: ledger.now.getTime() },
  ];
  const events: string[] = [];
  let underpriced = 0;
  const now = () => ledger.now;
  const queueFor = (step: Step): JobQueue => ({
    send: async (message, _, seconds) => {
      messages.push({ step, message, dueAt: ledger.now.getTime() + seconds * 1000 });
    },
  });
  const ports: CopyPorts = {
    ...ledger.worker(),
    queueOf: queueByPhase(queueFor(advanceJob), queueFor(copyJob)),
    eventQueue: { send: async ({ event_id }) => void events.push(event_id) },
    results,
    keptDays: async () => 30,
    catalogue: async () => bundledCatalogue,
    provider: () => provider,
    providerContext: async () => ({ ...context(), now }),
    downloadContext: async () => context(),
    gate: new ProviderGate({ now, log: silent }),
    newStepName: randomUUID,
    pause: async () => undefined,
    now,
    random: () => 0,
    countSettled: () => undefined,
    countRefusedKey: () => undefined,
    noteEnd: () => undefined,
    countUnderpriced: () => {
      underpriced++;
    },
    log: silent,
  };
  for (let next = messages.shift(); next !== undefined; next = messages.shift()) {
    ledger.now = new Date(Math.max(ledger.now.getTime(), next.dueAt));
    await next.step(next.message, ports);
  }
  return { events, underpriced };
}
