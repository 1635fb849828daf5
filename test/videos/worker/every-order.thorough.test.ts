import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Conflict } from '../../../functions/http/errors.ts';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import type { Manners } from '../../../functions/videos/providers/manners.ts';
import { ProviderError } from '../../../functions/videos/providers/provider.ts';
import { advanceJob } from '../../../functions/videos/worker/advance-job.ts';
import { cancelJob } from '../../../functions/videos/worker/cancel-job.ts';
import { copyJob } from '../../../functions/videos/worker/copy-job.ts';
import { JobInvariants } from './job-invariants.ts';
import { type Delayed, JobWorld } from './job-world.ts';
import { SimulatedProvider } from './simulated-provider.ts';

/** A world, and actors that work in it at the same time. */
interface Scene {
  readonly actors: Readonly<Record<string, () => Promise<unknown>>>;
  /** Sets the function for which each actor waits before every call to the outside. */
  readonly pauseBy: (turn: (call: string) => Promise<void>) => void;
  /** Everything that determines the future, except what the actors know. */
  readonly state: () => string;
  /** Throws if the world is in a state that must never occur. */
  readonly check: () => void;
  /** Continues the world after all actors have ended. `dead` names those that stopped for ever. */
  readonly end: (dead: readonly string[]) => Promise<void>;
}

interface Searched {
  /** The number of different states. */
  readonly states: number;
  /** The number of final states, each of which was continued until the job's end. */
  readonly ends: number;
}

const LONGEST_SETTLING = 1_000;

/**
 * Tries every order of the actors' calls. In each order, at most one actor stops for ever. A known state is not
 * continued again. What an actor knows is what it did, each time with the world's state.
 *
 * @throws the error of `check` or `end`, with the calls that lead there
 */
async function goEveryWay(open: () => Promise<Scene>): Promise<Searched> {
  const seen = new Set<string>();
  const ways: (readonly string[])[] = [[]];
  let ends = 0;
  for (let way = ways.pop(); way !== undefined; way = ways.pop()) {
    const walk = new Walk(await open());
    try {
      await walk.repeat(way);
      walk.check();
      if (await goOn(walk, seen, ways)) ends++;
    } catch (error) {
      throw new Error(`After ${walk.calls.join(', ')}: ${error}`, { cause: error });
    }
  }
  return { states: seen.size, ends };
}

/**
 * Takes the first choice each time, to the end. Stores the other choices for later. Returns false if the state is
 * known.
 */
async function goOn(walk: Walk, seen: Set<string>, ways: (readonly string[])[]): Promise<boolean> {
  for (;;) {
    const [first, ...others] = walk.choices();
    if (first === undefined) break;
    const state = walk.state();
    if (seen.has(state)) return false;
    seen.add(state);
    ways.push(...others.map((other) => [...walk.choicesTaken, other]));
    await walk.take(first);
    walk.check();
  }
  // No actor is left, so only the world determines the future.
  const last = walk.lastState();
  if (seen.has(last)) return false;
  seen.add(last);
  await walk.end();
  return true;
}

const DIES = ' dies';

/** The name of the calling actor. There is one for all walks: each further one would be copied at every step. */
const WHO = new AsyncLocalStorage<string>();

/** One order of calls. */
class Walk {
  readonly choicesTaken: string[] = [];
  /** The same choices, readable for people. */
  readonly calls: string[] = [];
  readonly #scene: Scene;
  readonly #waiting = new Map<string, { readonly call: string; readonly goOn: () => void }>();
  /** For each actor: what it did, and the world's state each time. */
  readonly #known = new Map<string, string>();
  readonly #ended = new Set<string>();
  readonly #dead: string[] = [];
  /** The scene's, since the last step. */
  #state = '';
  #failure: unknown;

  constructor(scene: Scene) {
    this.#scene = scene;
    scene.pauseBy((call) => this.#pause(call));
    for (const [name, act] of Object.entries(scene.actors)) this.#start(name, act);
  }

  async repeat(way: readonly string[]): Promise<void> {
    await this.#settle();
    for (const choice of way) await this.take(choice);
  }

  choices(): string[] {
    const waiting = [...this.#waiting.keys()].sort();
    return [...waiting, ...(this.#dead.length === 0 ? waiting.map((name) => name + DIES) : [])];
  }

  async take(choice: string): Promise<void> {
    const name = choice.replace(DIES, '');
    const { call, goOn } = this.#waiting.get(name)!;
    this.#waiting.delete(name);
    this.choicesTaken.push(choice);
    this.calls.push(`${choice} ${call}`);
    if (choice.endsWith(DIES)) this.#dead.push(name);
    else {
      this.#known.set(name, digest(this.#known.get(name), call, this.#state));
      goOn();
    }
    await this.#settle();
  }

  /** A repeated beginning was checked before, so `check` only runs after new steps. */
  check = (): void => this.#scene.check();

  state = (): string => digest(this.#state, ...[...this.#known].sort(), 'dead', ...this.#dead);

  lastState = (): string => digest(this.#state, 'dead', ...this.#dead);

  async end(): Promise<void> {
    this.#scene.pauseBy(async () => undefined);
    await this.#scene.end(this.#dead);
  }

  #start(name: string, act: () => Promise<unknown>): void {
    const ended = () => void this.#ended.add(name);
    const failed = (error: unknown) => {
      ended();
      this.#failure ??= error;
    };
    WHO.run(name, () => act().then(ended, failed));
  }

  async #pause(call: string): Promise<void> {
    const name = WHO.getStore();
    if (name === undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(name, { call, goOn: resolve });
    await promise;
  }

  /** Waits until each actor waits for its turn, has ended or is dead. */
  async #settle(): Promise<void> {
    const isQuiet = (name: string) =>
      this.#waiting.has(name) || this.#ended.has(name) || this.#dead.includes(name);
    for (let turns = 0; !Object.keys(this.#scene.actors).every(isQuiet); turns++) {
      if (turns === LONGEST_SETTLING)
        throw new Error('an actor waits for something that no other actor does');
      // Nothing here waits for the system, and a turn of the event loop takes longer than most steps.
      await new Promise((resolve) => process.nextTick(resolve));
    }
    if (this.#failure !== undefined) throw this.#failure;
    this.#state = this.#scene.state();
  }
}

const digest = (...parts: readonly unknown[]): string => hash('sha1', parts.join('\n'), 'base64');

// The test runs some thousand worlds, each from its beginning.
const MINUTE = 60_000;
type Case = readonly [
  Job['phase'],
  Manners['resubmit'],
  (
    | 'finishes at once'
    | 'calls at once'
    | 'takes a minute'
    | 'takes a minute, and was asked before'
    | 'takes a minute, and calls too early'
  ),
];
/** The way of asking again only matters if an answer is missing. */
const CASES: readonly Case[] = [
  ['queued', 'none', 'finishes at once'],
  ['submitting', 'token', 'finishes at once'],
  ['submitting', 'lookup', 'finishes at once'],
  ['submitting', 'none', 'finishes at once'],
  ['polling', 'none', 'finishes at once'],
  ['polling', 'none', 'takes a minute'],
  // The first poll begins a link, and the next one is only a message.
  ['polling', 'none', 'takes a minute, and was asked before'],
  ['made', 'none', 'finishes at once'],
  // A hint takes the place of the second copy.
  ['submitting', 'lookup', 'calls at once'],
  ['polling', 'none', 'calls at once'],
  ['polling', 'none', 'takes a minute, and calls too early'],
];

/** A world with a job in this phase, a message that is due, and a provider with the worst manners. */
async function worldAt([phase, resubmit, pace]: Case) {
  const provider = new SimulatedProvider({
    resubmit,
    outcome: () => 'succeeded',
    seconds: pace.startsWith('takes a minute') ? 60 : 1,
    fault: () => 'none',
    retryAfterSeconds: 1,
    now: () => world.now,
  });
  const takenBack = new Set<unknown>();
  const destroyed = new Set<unknown>();
  const script = provider.script();
  const world = new JobWorld({
    ...script,
    // It cancels once, what has finished too, and does not know afterwards what it was.
    cancels: { deletesFinished: true, staysReadable: false },
    cancel: async ({ id }) => {
      if (takenBack.has(id)) return 'not_possible';
      if ((await script.poll!(0, { id: id! })).state === 'succeeded') destroyed.add(id);
      takenBack.add(id);
      return 'cancelled';
    },
    poll: async (attempt, ref) => {
      if (takenBack.has(ref.id)) throw new ProviderError('refused', 'unknown', { isGone: true });
      return script.poll!(attempt, ref);
    },
  });
  const message = () => world.messages[0]!;
  if (phase === 'submitting') await leaveSubmitOpen(world, message());
  else while (world.job.phase !== phase) await world.deliver(message());
  if (pace === 'takes a minute, and was asked before') await world.deliver(message());
  world.now = Math.max(world.now, message().dueAt);
  return { world, provider, pace, takenBack, destroyed, message: message() };
}

/** The worker dies before anybody knows the result of its submit. */
async function leaveSubmitOpen(world: JobWorld, message: Delayed): Promise<void> {
  world.crash = () => (world.calls.at(-1) === 'submit' ? 'after' : undefined);
  await world.deliver(message);
  world.crash = () => undefined;
  expect(world.job.phase).toBe('submitting');
}

function sceneOf(start: Awaited<ReturnType<typeof worldAt>>): Scene {
  const { world, provider, pace, takenBack, destroyed, message } = start;
  world.messages = world.messages.filter((each) => each !== message);
  const invariants = new JobInvariants(world, provider);
  const take = () => (message.queue === 'copies' ? copyJob : advanceJob)(message.message, world.ports);
  const job = world.job;
  const hint = () => advanceJob({ v: 1, job_id: job.id, seq: 0, hint: 1 }, world.ports);
  let told: Job['status'] | 'conflict' | undefined;
  const cancel = async () => {
    told = await cancelJob(job, world.ports).then(
      ({ status }) => status,
      (error: unknown) => {
        if (!(error instanceof Conflict)) throw error;
        return 'conflict' as const;
      },
    );
  };
  const actors: Readonly<Record<Case[2], Scene['actors']>> = {
    'finishes at once': { one: take, caller: cancel, other: take },
    'calls at once': { one: take, caller: cancel, other: hint },
    // Work that goes on has more calls, and with two workers more orders than can be tried.
    'takes a minute': { one: take, caller: cancel },
    'takes a minute, and was asked before': { one: take, caller: cancel, other: take },
    'takes a minute, and calls too early': { one: take, other: hint },
  };
  return {
    actors: actors[pace],
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
        [...takenBack],
      ]);
    },
    check: () => {
      invariants.check();
      // A job at a provider is paid for, unless the provider has confirmed the cancellation.
      const { id, status } = world.job;
      if (status === 'cancelled' && provider.works.has(id)) assert(takenBack.has(id));
      assert.equal(destroyed.size, 0);
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
      // What was taken back ends so, and nobody was told anything else.
      if (takenBack.size > 0) expect(['cancelled', 'expired']).toContain(world.job.status);
      if (told === 'cancelled') expect(world.job.status).toBe('cancelled');
      if (told === 'conflict') expect(world.job.status).not.toBe('cancelled');
    },
  };
}

describe('two copies of a message, or one and a hint, and a cancellation, in every order, with one or none of them crashing anywhere', () => {
  test.each(CASES)(
    'end a %s job once, and as its caller was told, and have it made at most once, at a provider with %s that %s',
    async (...scene) => {
      const { states, ends } = await goEveryWay(async () => sceneOf(await worldAt(scene)));
      expect(ends).toBeGreaterThan(10);
      expect(states).toBeGreaterThan(ends);
    },
  );
});
