import { describe, expect, jest, test } from '@jest/globals';
import { Conflict } from '../../../functions/http/errors.ts';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { advanceJob } from '../../../functions/videos/worker/advance-job.ts';
import { cancelJob } from '../../../functions/videos/worker/cancel-job.ts';
import { copyJob } from '../../../functions/videos/worker/copy-job.ts';
import { goEveryWay, type Scene } from './every-order.ts';
import { JobInvariants } from './job-invariants.ts';
import { type Delayed, JobWorld } from './job-world.ts';
import { SimulatedProvider } from './simulated-provider.ts';

// The test runs some thousand worlds, each from its beginning.
jest.setTimeout(300_000);

const MINUTE = 60_000;
type Resubmit = 'token' | 'lookup' | 'none';
/** The way of asking again only matters if an answer is missing. */
const CASES: readonly (readonly [Job['phase'], Resubmit])[] = [
  ['queued', 'none'],
  ['submitting', 'token'],
  ['submitting', 'lookup'],
  ['submitting', 'none'],
  ['polling', 'none'],
  ['made', 'none'],
];

/** A world with a job in this phase, a message that is due, and a provider that has finished. */
async function worldAt(phase: Job['phase'], resubmit: Resubmit) {
  const provider = new SimulatedProvider({
    resubmit,
    outcome: () => 'succeeded',
    seconds: 1,
    fault: () => 'none',
    retryAfterSeconds: 1,
    now: () => world.now,
  });
  const takenBack = new Set<unknown>();
  const world = new JobWorld({
    ...provider.script(),
    cancel: async ({ id }) => {
      takenBack.add(id);
      return 'cancelled';
    },
  });
  const message = () => world.messages[0]!;
  if (phase === 'submitting') await leaveSubmitOpen(world, message());
  else while (world.job.phase !== phase) await world.deliver(message());
  world.now = Math.max(world.now, message().dueAt);
  return { world, provider, takenBack, message: message() };
}

/** The worker dies before anybody knows the result of its submit. */
async function leaveSubmitOpen(world: JobWorld, message: Delayed): Promise<void> {
  world.crash = () => (world.calls.at(-1) === 'submit' ? 'after' : undefined);
  await world.deliver(message);
  world.crash = () => undefined;
  expect(world.job.phase).toBe('submitting');
}

function sceneOf(start: Awaited<ReturnType<typeof worldAt>>): Scene {
  const { world, provider, takenBack, message } = start;
  world.messages = world.messages.filter((each) => each !== message);
  const invariants = new JobInvariants(world, provider);
  const take = () => (message.queue === 'jobs' ? advanceJob : copyJob)(message.message, world.ports);
  const job = world.job;
  const cancel = () =>
    cancelJob(job, world.ports).catch((error: unknown) => {
      if (!(error instanceof Conflict)) throw error;
    });
  return {
    actors: { one: take, other: take, caller: cancel },
    pauseBy: (turn) => {
      world.turn = turn;
    },
    state: () => {
      const { rows, messages, now, eventMessages, saved } = world;
      const works = [...provider.works];
      return JSON.stringify([
        [...rows],
        [...world.events.keys()],
        messages,
        now,
        eventMessages,
        saved,
        works,
      ]);
    },
    check: () => {
      invariants.check();
      // A job at a provider is paid for, unless the provider has confirmed the cancellation.
      const { id, status } = world.job;
      if (status === 'cancelled' && provider.works.has(id)) expect(takenBack).toContain(id);
    },
    end: async (dead) => {
      if (dead.some((name) => name !== 'caller'))
        world.messages.push({ ...message, dueAt: world.now + 6 * MINUTE });
      for (let minute = 0; minute < 120 && world.job.phase !== 'settled'; minute++) {
        await world.run();
        world.now += MINUTE;
        await world.sweep();
      }
      invariants.checkEnd();
    },
  };
}

describe('two copies of a message and a cancellation, in every order, with one or none of them crashing anywhere', () => {
  test.each(CASES)(
    'end a %s job once, and have it made at most once, at a provider with %s',
    async (phase, resubmit) => {
      const { states, ends } = await goEveryWay(async () => sceneOf(await worldAt(phase, resubmit)));
      expect(ends).toBeGreaterThan(10);
      expect(states).toBeGreaterThan(ends);
    },
  );
});
