import { describe, expect, test } from '@jest/globals';
import { ProviderError, type ProviderState } from '../../../functions/videos/providers/provider.ts';
import { aJob, START } from '../jobs/job-fixture.ts';
import { JobWorld, type Script, succeeded } from './job-world.ts';

const MINUTE = 60;
const jobs = (many: number) => Array.from({ length: many }, (_, i) => aJob({ id: `vid_${i}` }));

/** A world whose jobs arrive `apart` seconds after each other. */
function flight(script: Script, many: number, apart: number, draw: () => number): JobWorld {
  const world: JobWorld = new JobWorld(script, ...jobs(many));
  world.messages = world.messages.map((each, i) => ({ ...each, dueAt: each.dueAt + i * apart * 1000 }));
  Object.assign(world.ports, { random: draw });
  return world;
}

/** Different numbers that are the same in every run, from a linear congruential generator. */
function draws(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** How long each job took from its first message, in seconds. */
function durations(world: JobWorld, apart: number): number[] {
  return [...world.rows.values()].map(
    ({ completed_at = '' }, i) => (Date.parse(completed_at) - START.getTime()) / 1000 - i * apart,
  );
}

const SECONDS_OF_WORK = 20;

/** A provider that accepts every job except the first one. Each job takes twenty seconds. */
function refusesTheFirst(now: () => number, retryAfterSeconds: number | undefined) {
  const accepted = new Map<string, number>();
  const refusedAt: number[] = [];
  const wish = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  const script: Script = {
    submit: async (_, { id }) => {
      if (id === 'vid_0') {
        refusedAt.push((now() - START.getTime()) / 1000);
        throw new ProviderError('rate_limited', 'slow down', wish);
      }
      accepted.set(id, now());
      return { ref: { id }, upstreamId: id };
    },
    poll: async (_, { id }): Promise<ProviderState> =>
      now() - (accepted.get(String(id)) ?? 0) < SECONDS_OF_WORK * 1000 ? { state: 'running' } : succeeded(),
  };
  return { script, refusedAt };
}

describe('one job that a provider always refuses with 429, beside sixteen that it accepts', () => {
  const cases = [undefined, 0, 2, 60].flatMap((wish) => [0, 1, 7].map((apart) => [wish, apart] as const));

  test.each(cases)('(Retry-After %p, jobs %i s apart) delays none of them', async (wish, apart) => {
    const alone = refusesTheFirst(() => quiet.now, wish);
    const quiet: JobWorld = new JobWorld(alone.script, aJob({ id: 'vid_alone' }));
    await quiet.run();
    const [undisturbed = Number.NaN] = durations(quiet, 0);

    for (const seed of [1, 2, 3, 4, 5]) {
      const { script, refusedAt } = refusesTheFirst(() => world.now, wish);
      const world: JobWorld = flight(script, 17, apart, draws(seed));
      await world.run(2_000);
      const [refused, ...healthy] = [...world.rows.values()];
      expect(new Set(healthy.map(({ status }) => status))).toEqual(new Set(['completed']));
      expect(Math.max(...durations(world, apart).slice(1))).toBeLessThanOrEqual(undisturbed + 5);

      // The refused job is neither sent for ever, nor earlier than the provider asked.
      expect(refused?.status).toBe('expired');
      expect(refusedAt.filter((at) => at < 5 * MINUTE).length).toBeLessThanOrEqual(25);
      const pauses = refusedAt.slice(1).map((at, i) => at - (refusedAt[i] ?? 0));
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(wish ?? 0);
    }
  });
});

/** A provider that works on this many jobs at once and answers 429 to others. */
function withPlaces(places: number, seconds: number, now: () => number) {
  const running = new Map<string, number>();
  let refusals = 0;
  let idleSince = START.getTime();
  let longestIdle = 0;
  const script: Script = {
    submit: async (_, { id }) => {
      const busy = [...running.values()].filter((since) => now() - since < seconds * 1000);
      if (busy.length >= places) {
        refusals++;
        throw new ProviderError('rate_limited', 'all places are taken');
      }
      if (busy.length === 0) longestIdle = Math.max(longestIdle, now() - idleSince);
      running.set(id, now());
      idleSince = now() + seconds * 1000;
      return { ref: { id }, upstreamId: id };
    },
    poll: async (_, { id }): Promise<ProviderState> =>
      now() - (running.get(String(id)) ?? 0) < seconds * 1000 ? { state: 'running' } : succeeded(),
  };
  return { script, refusals: () => refusals, longestIdleSeconds: () => longestIdle / 1000 };
}

describe('a provider with few slots', () => {
  test.each([
    [2, 40, 20],
    [5, 60, 60],
  ])(
    '(%i, for %i s each) gets at most three submits for each of %i jobs, and is not idle for long',
    async (...[places, seconds, many]) => {
      for (const seed of [1, 2, 3, 4, 5]) {
        const provider = withPlaces(places, seconds, () => world.now);
        const world: JobWorld = flight(provider.script, many, 0, draws(seed));
        await world.run(20_000);
        expect(new Set([...world.rows.values()].map(({ status }) => status))).toEqual(new Set(['completed']));
        expect(provider.refusals()).toBeLessThanOrEqual(3 * many);
        expect(provider.longestIdleSeconds()).toBeLessThanOrEqual(30);
      }
    },
  );
});
