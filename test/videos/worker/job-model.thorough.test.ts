import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Conflict } from '../../../functions/http/errors.ts';
import { leaseEnd } from '../../../functions/videos/jobs/job.ts';
import { LAST_WORD_MILLISECONDS } from '../../../functions/videos/jobs/job-machine.ts';
import { GRACE_MILLISECONDS } from '../../../functions/videos/jobs/sweep-job.ts';
import { cancelJob } from '../../../functions/videos/worker/cancel-job.ts';
import { JobInvariants } from './job-invariants.ts';
import { Crash, JobWorld } from './job-world.ts';
import { FAULTS, type Fault, OUTCOMES, type Outcome, SimulatedProvider } from './simulated-provider.ts';

const MINUTE = 60_000;

/** For slow machines. No result depends on it. */
const PATIENCE = 2 * MINUTE;

/** What can happen next. `at` chooses one of the messages. */
const happening = fc.oneof(
  { weight: 8, arbitrary: fc.record({ type: fc.constant('deliver' as const), at: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('duplicate' as const), at: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('drop' as const), at: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('delay' as const), at: fc.nat(), by: fc.nat(20 * MINUTE) }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('sweep' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('redrive' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('cancel' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('later' as const), by: fc.nat(20 * MINUTE) }) },
  // Clocks of machines are wrong, and are corrected.
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('skewed' as const),
      at: fc.nat(),
      by: fc.integer({ min: -10 * MINUTE, max: 10 * MINUTE }),
    }),
  },
);
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

const often = <T>(usual: T, rest: readonly T[]) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 4, arbitrary: fc.constantFrom(...rest) });

const history = fc.record({
  resubmit: fc.constantFrom('token' as const, 'lookup' as const, 'none' as const),
  outcome: often<Outcome>('succeeded', OUTCOMES),
  seconds: fc.nat(2_400),
  faults: fc.array(often<Fault>('none', FAULTS), { maxLength: 30 }),
  /** The fault of every later call. */
  finally: often<Fault>('none', FAULTS),
  /** After each of these numbers of calls a worker dies. */
  crashes: fc.array(
    fc.tuple(fc.integer({ min: 1, max: 12 }), fc.constantFrom('before' as const, 'after' as const)),
    {
      maxLength: 8,
    },
  ),
  happenings: fc.array(happening, { maxLength: 60 }),
});
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

function begin(told: Omit<History, 'happenings' | 'crashes'> & Partial<Pick<History, 'crashes'>>) {
  const faults = [...told.faults];
  const provider = new SimulatedProvider({
    resubmit: told.resubmit,
    outcome: () => told.outcome,
    seconds: told.seconds,
    fault: () => faults.shift() ?? told.finally,
    // Long enough to pass a deadline.
    retryAfterSeconds: 600,
    now: () => world.now,
  });
  const world = new JobWorld(provider.script());
  const crashes = new Map<number, 'before' | 'after'>();
  let call = 0;
  for (const [gap, effect] of told.crashes ?? []) {
    call += gap;
    crashes.set(call, effect);
  }
  world.crash = (each) => crashes.get(each);
  return { world, provider, invariants: new JobInvariants(world, provider) };
}

const AWS_CALLS = ['find', 'apply', 'settle', 'send', 'save', 'send event'];

async function deliver(world: JobWorld, at: number): Promise<void> {
  const message = world.messages[at % Math.max(1, world.messages.length)];
  if (message === undefined) return;
  const before = world.calls.length;
  await world.deliver(message);
  const calls = world.calls.slice(before).filter((call) => AWS_CALLS.includes(call));
  expect(calls.length).toBeLessThanOrEqual(5);
}

/** Attempts a piece of work. The process may die, or the work may be refused because it is too late. */
async function attempt(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Conflict || error instanceof Crash)) throw error;
  }
}

const cancel = (world: JobWorld) => attempt(cancelJob(world.job, world.ports));

async function happen(world: JobWorld, it: Happening): Promise<void> {
  const index = 'at' in it ? it.at % Math.max(1, world.messages.length) : 0;
  const message = world.messages[index];
  switch (it.type) {
    case 'deliver':
      return deliver(world, it.at);
    case 'duplicate':
      if (message !== undefined) world.messages.push({ ...message });
      return;
    case 'drop':
      world.messages.splice(index, 1);
      return;
    case 'delay':
      if (message !== undefined) world.messages[index] = { ...message, dueAt: message.dueAt + it.by };
      return;
    case 'sweep':
      return attempt(world.sweep());
    case 'redrive':
      return world.redrive();
    case 'cancel':
      return cancel(world);
    case 'later':
      world.now += it.by;
      return;
    case 'skewed':
      world.skew = it.by;
      await deliver(world, it.at);
      world.skew = 0;
  }
}

/** From here on nothing unexpected happens: messages arrive when they are due, and the sweeper runs every minute. */
async function comeToRest(world: JobWorld, until: number): Promise<void> {
  world.crash = () => undefined;
  for (; ; world.now += MINUTE) {
    await world.sweep();
    for (;;) {
      const due = world.messages.findIndex(({ dueAt }) => dueAt <= world.now);
      if (due === -1) break;
      await deliver(world, due);
    }
    if (world.now >= until) return;
  }
}

/**
 * The latest end of a job. The provider is asked a last time after the deadline, and the sweeper waits for its grace
 * time and its next run. A copy that has begun needs both once more.
 */
const endOf = (world: JobWorld) =>
  Math.max(world.now, world.job.deadline_at, world.job.due_at, leaseEnd(world.job)) +
  LAST_WORD_MILLISECONDS +
  2 * (GRACE_MILLISECONDS + MINUTE);

describe('whatever happens to a job', () => {
  test(
    'it ends once, soon after its deadline at the latest, and costs something only if it completed',
    async () => {
      await fc.assert(
        fc.asyncProperty(history, async (told) => {
          const { world, invariants } = begin(told);
          for (const it of told.happenings) {
            await happen(world, it);
            invariants.check();
          }
          await comeToRest(world, endOf(world));
          invariants.checkEnd();
        }),
        { numRuns: 600, seed: 1 },
      );
    },
    PATIENCE,
  );

  test(
    'redrives of dead letters, any number of times, do not change that',
    async () => {
      await fc.assert(
        fc.asyncProperty(history, fc.nat(5), async (told, redrives) => {
          const { world, invariants } = begin(told);
          // Every worker dies at its first call, so all messages become dead letters.
          world.crash = () => 'before';
          while (world.messages.length > 0) await deliver(world, 0);
          expect(world.deadLetters).toHaveLength(1);
          const letters = [...world.deadLetters];
          await comeToRest(world, endOf(world));
          for (let i = 0; i < redrives; i++) {
            world.deadLetters.push(...letters);
            world.redrive();
            await comeToRest(world, world.now + MINUTE);
            invariants.check();
          }
          invariants.checkEnd();
        }),
        { numRuns: 100, seed: 2 },
      );
    },
    PATIENCE,
  );
});

describe('simultaneous workers', () => {
  const meeting = history.chain((told) =>
    fc.record({ told: fc.constant(told), workers: fc.integer({ min: 2, max: 4 }) }),
  );

  test(
    'in any interleaving of their calls, with a caller who cancels, do no harm',
    async () => {
      await fc.assert(
        fc.asyncProperty(meeting, fc.nat(12), fc.boolean(), fc.scheduler(), async (...drawn) => {
          const [{ told, workers }, linksBefore, cancels, scheduler] = drawn;
          const { world, invariants } = begin({ ...told, crashes: [] });
          for (let link = 0; link < linksBefore; link++) await deliver(world, link);
          const message = world.messages[0];
          if (message !== undefined) {
            world.turn = (call) => scheduler.schedule(Promise.resolve(), call);
            const all = Array.from({ length: workers }, () => world.deliver(message));
            if (cancels) all.push(cancel(world));
            await scheduler.waitFor(Promise.all(all));
            world.turn = async () => undefined;
          }
          invariants.check();
          await comeToRest(world, endOf(world));
          invariants.checkEnd();
        }),
        { numRuns: 400, seed: 3 },
      );
    },
    PATIENCE,
  );
});
