import { describe, expect, test } from '@jest/globals';
import type { Manners } from '../../functions/videos/providers/manners.ts';
import { waitBy } from '../aws/virtual-waits.ts';
import { AwsWorld, type Call, type Fault, type FaultPlan, faultsOf, noFaults } from '../engines/index.ts';
import { START } from '../videos/jobs/job-fixture.ts';

/** How many failures use up all attempts: the SDK makes three, and a transaction six. */
const EXHAUSTING = { error: 3, conflict: 6 };
const OUTAGE_MILLISECONDS = 5_000;

const isWorker = ({ process }: Call) => ['poller', 'copier', 'deliverer'].includes(process);

/** A fault at one call. @param at the call's number among the workers' calls in a run without faults */
type FaultMode = (at: number, world: AwsWorld) => FaultPlan;

/** The faults hit the call and then its retries, one each. */
function repeatedly(faults: readonly Fault[]): FaultMode {
  return (at) => {
    let seen = 0;
    let first: Call | undefined;
    let done = 0;
    return (call) => {
      if (!isWorker(call) || ++seen < at) return undefined;
      first ??= call;
      const isLike = call.operation === first.operation && call.process === first.process;
      const fault = isLike ? faults[done++] : undefined;
      return fault !== undefined && faultsOf(call).includes(fault) ? fault : undefined;
    };
  };
}

/** The deliverer's rows are in no transaction, so they cannot conflict. */
const onlyOfJobs =
  (mode: FaultMode): FaultMode =>
  (...args) => {
    const plan = mode(...args);
    return (call) => {
      const fault = plan(call);
      return call.process === 'deliverer' ? undefined : fault;
    };
  };

const MODES: Readonly<Record<string, FaultMode>> = {
  'fails, and so do its retries': repeatedly(Array(EXHAUSTING.error).fill('error')),
  'loses its answer, and its retries fail': repeatedly(['answer lost', 'error', 'error']),
  'loses its answer, and is retried': repeatedly(['answer lost']),
  'conflicts with others until its attempts are used up': onlyOfJobs(
    repeatedly(Array(EXHAUSTING.conflict).fill('conflict')),
  ),
  'is throttled with all of its service for 5 s': (at, { clock }) => {
    let seen = 0;
    let first: Call | undefined;
    let until = 0;
    return (call) => {
      if (!isWorker(call) || ++seen < at) return undefined;
      if (first === undefined) {
        first = call;
        until = clock.now().getTime() + OUTAGE_MILLISECONDS;
      }
      return call.service === first.service && clock.now().getTime() < until ? 'throttled' : undefined;
    };
  },
  hangs: repeatedly(['hang']),
  'kills its worker': repeatedly(['crash before']),
  'kills its worker after it took effect': repeatedly(['crash after']),
};

/** The worker is dead after these faults, so something else has to notice. */
const DEADLY = ['hangs', 'kills its worker', 'kills its worker after it took effect'];

async function live(resubmit: Manners['resubmit'], fault: (world: AwsWorld) => FaultPlan, sweeps: boolean) {
  const world = new AwsWorld({ start: START });
  waitBy(world);
  const { FaultyStage } = await import('./faulty-stage.ts');
  const stage = new FaultyStage(world, resubmit);
  world.faults = fault(world);
  await stage.run({ sweeps });
  world.faults = noFaults;
  const calls = world.journal.calls.filter(isWorker);
  const [row, account, events] = [await stage.row(), await stage.account(), await stage.events()];
  return { stage, provider: stage.provider, calls, row, account, events };
}

describe.each(['token', 'lookup', 'none'] as const)('at a provider that is asked again by %s', (resubmit) => {
  test.each(Object.entries(MODES))('a job ends correctly if any one call %s', async (mode, at) => {
    const isDeadly = DEADLY.includes(mode);
    const golden = await live(resubmit, () => noFaults, false);
    expect(golden).toMatchObject({ row: { status: 'completed' }, provider: { works: 1 } });
    const wrong: unknown[] = [];
    for (const [index, { service, operation, process }] of golden.calls.entries()) {
      // Only the poller submits, so the others' faults are the same at every provider.
      if (resubmit !== 'token' && process !== 'poller') continue;
      // After a worker's death its work waits for the sweeper.
      const run = await live(resubmit, (world) => at(index + 1, world), isDeadly);
      const where = `${index + 1}, ${process}: ${service} ${operation}`;
      const found = judge(run, golden, { resubmit, isDeadly });
      if (found.length > 0) wrong.push([where, ...found]);
    }
    expect(wrong).toEqual([]);
  });
});

type Run = Awaited<ReturnType<typeof live>>;

function judge(
  { stage, provider, row, account, events }: Run,
  golden: Run,
  { resubmit, isDeadly }: { resubmit: Manners['resubmit']; isDeadly: boolean },
): string[] {
  const found: string[] = [];
  const check = (holds: boolean, what: string) => void (holds || found.push(what));
  const { status, error, phase } = row;
  // If a worker dies during a submit, nobody can tell whether such a provider has the job.
  const isUnknown =
    resubmit === 'none' && isDeadly && /could charge for both submissions/.test(String(error));
  const end = isUnknown ? 'failed' : 'completed';
  const cost = isUnknown ? 0 : 40_000;
  check(phase === 'settled' && status === end, `is ${phase}, ${status}: ${error}`);
  check(provider.works <= 1, `was submitted ${provider.works} times`);
  check(
    account.reserved === 0 && account.open_jobs === 0,
    `holds ${account.reserved} for ${account.open_jobs} jobs`,
  );
  const lifetime = JSON.stringify(account.lifetime);
  check(
    lifetime === JSON.stringify({ ...Object(golden.account.lifetime), committed: cost, spent: cost }),
    `counts ${lifetime}`,
  );
  check(events.join() === `video.generation.${end} delivered`, `has told ${events.join()}`);
  check(new Set(stage.webhooks.map(({ id }) => id)).size === 1, 'has told by more than one id, or none');
  if (!isDeadly) {
    check(stage.deaths === 0, `has lost ${stage.deaths} workers`);
    check((stage.endedAt ?? 3_600) < (golden.stage.endedAt ?? 0) + 30, `has ended after ${stage.endedAt} s`);
  }
  return found;
}
