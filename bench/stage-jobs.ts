/**
 * Many jobs at once on its own stage, which it deploys to the emulator and calls over HTTP, with callbacks. One job in ten
 * gets a fault of the sandbox, each kind in turn. Fails unless every job ends as its fault demands, once, with one
 * event, and no money stays held. With --purge it deletes all messages of the jobs queue in between, so that only the
 * sweeper can continue the jobs.
 *
 *   npx node bench/stage-jobs.ts [jobs] [--purge]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type RunningStage, startStage } from '../local/stage.ts';
import { textProgress } from '../local/terminal/progress.ts';
import { awaitEnds } from './stage-jobs/await-ends.ts';
import { FunctionLog } from './stage-jobs/function-log.ts';
import { briefModel, kindsOf } from './stage-jobs/kinds.ts';
import { Owner } from './stage-jobs/owner.ts';
import { Queues } from './stage-jobs/queues.ts';
import { openReceiver, type Receiver } from './stage-jobs/receiver.ts';
import { type Flight, report } from './stage-jobs/report.ts';
import { submitAll } from './stage-jobs/submit.ts';

const { values, positionals } = parseArgs({
  options: { purge: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const JOBS = Number(positionals[0] ?? 1_000);
const DEADLINE_MILLISECONDS = 20 * 60_000;
/** Long enough on two cores that the last job is submitted before the first has ended. */
const LATENCY_SECONDS = 30 + Math.ceil(JOBS / 8);
/** For jobs that only end at their deadline: shortly before the others end. */
const BRIEF_DEADLINE_SECONDS = LATENCY_SECONDS + 30;

async function fly(stage: RunningStage, receiver: Receiver, log: FunctionLog): Promise<Flight> {
  const queues = await Queues.find(stage.aws);
  const kinds = kindsOf(JOBS);
  const owner = await Owner.create(stage, JOBS * 30_000);
  const begun = performance.now();
  const order = { api: owner.api, callbackUrl: receiver.url, latencySeconds: LATENCY_SECONDS };
  const submitted = await submitAll(kinds, order);
  const submitting = performance.now() - begun;
  const purged = values.purge ? await purgeInMidFlight(queues) : undefined;
  const ends = await awaitEnds({
    begun,
    jobs: JOBS,
    openJobs: () => owner.openJobs(),
    told: () => receiver.told.size,
    deadlineMilliseconds: DEADLINE_MILLISECONDS,
  });
  return { queues, owner, submitted, submitting, purged, ends, told: receiver.told, log };
}

/** @returns the depth of the queue at the moment of its purge */
async function purgeInMidFlight(queues: Queues) {
  await sleep((LATENCY_SECONDS * 1000) / 4);
  const depth = await queues.depth('VideosQueue');
  await queues.purge('VideosQueue');
  return depth;
}

const stateDir = await mkdtemp(join(tmpdir(), 'genway-jobs-'));
const log = new FunctionLog();
const receiver = await openReceiver();
try {
  const stage = await startStage({
    stateDir,
    port: 0,
    settings: { videos: { providers: { sandbox: {} }, models: [briefModel(BRIEF_DEADLINE_SECONDS)] } },
    progress: textProgress(process.stderr, () => performance.now()),
    log: log.take,
  });
  try {
    if (!(await report(await fly(stage, receiver, log)))) process.exitCode = 1;
  } finally {
    await stage.stop();
  }
} finally {
  receiver.close();
  await rm(stateDir, { recursive: true });
}
