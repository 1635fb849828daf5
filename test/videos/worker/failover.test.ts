import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { emptyAccount } from '../../../functions/money/account.ts';
import { counts, holdOf } from '../../../functions/money/hold.ts';
import { micros } from '../../../functions/money/micros.ts';
import { Catalogue } from '../../../functions/videos/catalogue/catalogue.ts';
import type { Offer } from '../../../functions/videos/catalogue/offer.ts';
import type { JobWithRequest } from '../../../functions/videos/jobs/job.ts';
import {
  ProviderError,
  type ProviderErrorKind,
  type Submission,
} from '../../../functions/videos/providers/provider.ts';
import { aJob, START } from '../jobs/job-fixture.ts';
import { anOffer } from '../routing/an-offer.ts';
import { JobWorld, type Script } from './job-world.ts';

const NAMES = ['one', 'two', 'three'];
const PRICES = [50, 20, 90];
const everyone = NAMES.map((name) => anOffer(name));

/** A job at the first of three providers. It may move to the others. */
const aMovableJob = (change: Partial<JobWithRequest> = {}) => {
  const [first, ...others] = NAMES.map((provider, index) => ({
    endpoint: `${provider}/fox`,
    provider,
    estimate_micros: micros(PRICES[index]!),
    is_byok: false,
  }));
  return aJob({ model: 'acme/fox', ...first!, alternatives: others, ...change });
};

const accepted = (provider: string): Submission => ({ ref: { id: provider }, upstreamId: `up-${provider}` });
const error = (kind: ProviderErrorKind, message: string = kind) =>
  Promise.reject(new ProviderError(kind, message));

async function run(script: Script, { job = aMovableJob(), catalogue = everyone } = {}) {
  const world = worldOf(script, job, catalogue);
  await world.run();
  return world;
}

function worldOf(script: Script, job: JobWithRequest, catalogue: readonly Offer[]) {
  const world = new JobWorld(script, job);
  Object.assign(world.ports, { catalogue: async () => new Catalogue(catalogue) });
  return world;
}

/** Records which provider gets each submit. Each provider has its own answers. */
function asked(answers: Record<string, (nth: number) => Promise<Submission>>) {
  const tries: string[] = [];
  const submit: Script['submit'] = (_, __, provider) => {
    tries.push(provider);
    const answer = answers[provider];
    return answer === undefined
      ? Promise.resolve(accepted(provider))
      : answer(tries.filter((each) => each === provider).length);
  };
  return { tries, submit };
}

describe('a key that a provider does not accept', () => {
  test.each([
    [false, ['one']],
    [true, []],
  ])('counts if it is the stage’s own, and not if it is the workspace’s: %s', async (is_byok, counted) => {
    const { submit } = asked({ one: () => error('credential') });
    const world = await run({ submit }, { job: aMovableJob({ is_byok }) });
    expect(world.refusedKeys).toEqual(counted);
  });

  test.each<ProviderErrorKind>(['rate_limited', 'unavailable', 'refused', 'moderated'])(
    'is not the problem of a provider that is %s',
    async (kind) => {
      const { submit } = asked({ one: (nth) => (nth > 1 ? Promise.resolve(accepted('one')) : error(kind)) });
      expect((await run({ submit })).refusedKeys).toEqual([]);
    },
  );
});

describe('a job that its provider certainly has not accepted', () => {
  test.each<ProviderErrorKind>(['rate_limited', 'unavailable', 'refused', 'credential'])(
    'because it was %s goes to the next provider at once',
    async (kind) => {
      const { tries, submit } = asked({ one: () => error(kind, 'no room') });
      const world = await run({ submit });
      expect(tries).toEqual(['one', 'two']);
      expect(world.job).toMatchObject({ status: 'completed', provider: 'two', cost_micros: 20 });
      expect(world.job.history).toMatchObject([
        { status: 'pending' },
        {
          at: START.toISOString(),
          status: 'pending',
          provider: 'one',
          endpoint: 'one/fox',
          detail: 'no room',
        },
        { at: START.toISOString(), status: 'in_progress', provider: 'two', endpoint: 'two/fox' },
        { status: 'completed' },
      ]);
    },
  );

  test('costs the price of the provider that makes it, even if that is higher', async () => {
    const { submit } = asked({ one: () => error('credential'), two: () => error('unavailable') });
    const world = await run({ submit });
    expect(world.job).toMatchObject({ provider: 'three', cost_micros: 90 });
  });

  test('returns, each time later, to providers that may still accept it', async () => {
    const busy = (nth: number) => (nth < 3 ? error('rate_limited') : Promise.resolve(accepted('one')));
    const { tries, submit } = asked({
      one: busy,
      two: () => error('refused'),
      three: () => error('unavailable'),
    });
    const world = await run({ submit });
    expect(tries).toEqual(['one', 'two', 'three', 'one', 'three', 'one']);
    expect(world.job).toMatchObject({ status: 'completed', provider: 'one' });
    // The history names each provider once.
    expect(world.job.history.map(({ provider }) => provider)).toEqual([
      undefined,
      'one',
      'two',
      'three',
      'one',
      undefined,
    ]);
    expect(world.now).toBeGreaterThan(START.getTime() + 8_000);
  });

  test('fails with the last refusal if no provider can accept it', async () => {
    const { tries, submit } = asked({
      one: () => error('refused', 'one says no'),
      two: () => error('credential', 'no key'),
      three: () => error('refused', 'three says no'),
    });
    const world = await run({ submit });
    expect(tries).toEqual(NAMES);
    expect(world.job).toMatchObject({ status: 'failed', error: 'three says no' });
    expect(world.job).not.toHaveProperty('cost_micros');
  });

  test('uses the options of the next provider, and its own again later', async () => {
    const options: unknown[] = [];
    const submit: Script['submit'] = async (attempt, job, provider) => {
      options.push([provider, job.options]);
      if (attempt < 3) throw new ProviderError('unavailable', 'down');
      return accepted(provider);
    };
    const [, two] = aMovableJob().alternatives;
    const job = aMovableJob({
      request: { ...aJob().request, options: { a: 1 } },
      other_options: { two: { b: 2 } },
      alternatives: [aMovableJob().alternatives[0]!],
    });
    expect(two).toBeDefined();
    await run({ submit }, { job });
    expect(options).toEqual([
      ['one', { a: 1 }],
      ['two', { b: 2 }],
      ['one', { a: 1 }],
    ]);
  });

  test('is not sent to an offer that was removed meanwhile', async () => {
    const { tries, submit } = asked({});
    const world = await run({ submit }, { catalogue: everyone.slice(1) });
    expect(tries).toEqual(['two']);
    expect(world.job.history[1]).toMatchObject({ detail: 'The endpoint one/fox is no longer offered' });
    const alone = await run({ submit }, { catalogue: [], job: aMovableJob({ alternatives: [] }) });
    expect(alone.job).toMatchObject({ status: 'failed', error: 'The endpoint one/fox is no longer offered' });
  });

  test('is still sent to its offer if that has been paused since', async () => {
    const { tries, submit } = asked({});
    const world = worldOf({ submit }, aMovableJob(), everyone);
    Object.assign(world.ports, { catalogue: async () => new Catalogue(everyone, ['one/fox']) });
    await world.run();
    expect([tries, world.job.status]).toEqual([['one'], 'completed']);
  });

  test('is not sent to another offer if the removed one was pinned by the model’s name', async () => {
    const { tries, submit } = asked({});
    const namesake = anOffer('other', { model: 'one/fox' });
    const job = aMovableJob({ model: 'one/fox', alternatives: [] });
    const world = await run({ submit }, { job, catalogue: [namesake] });
    expect(tries).toEqual([]);
    expect(world.job).toMatchObject({ status: 'failed', error: 'The endpoint one/fox is no longer offered' });
  });

  test('skips a provider with an open circuit, without a submit', async () => {
    const { tries, submit } = asked({});
    const world = worldOf({ submit }, aMovableJob(), everyone);
    const call = {
      kind: 'submit',
      provider: 'one',
      offer: 'one/fox',
      jobId: 'vid_other',
    } as const;
    for (let i = 0; i < 5; i++) {
      const ofAnother = { ...call, workspaceId: `ws-${i + 2}` };
      await expect(world.ports.gate.watch(ofAnother, () => error('unavailable'))).rejects.toThrow();
    }
    await world.run();
    expect(tries).toEqual(['two']);
    expect(world.now).toBeLessThan(START.getTime() + 10_000);
  });
});

describe('a job goes nowhere else', () => {
  test.each<[string, ProviderErrorKind]>([
    ['moderation refuses its content', 'moderated'],
    ['the provider may have accepted it', 'ambiguous'],
  ])('when %s', async (_, kind) => {
    const { tries, submit } = asked({ one: () => error(kind) });
    const world = await run({ submit, resubmit: 'none' });
    expect([tries, world.job.status]).toEqual([['one'], 'failed']);
  });

  test('when one of its inputs cannot be fetched', async () => {
    const gone = new ProviderError('refused', 'the image is gone', { isOfInput: true });
    const { tries, submit } = asked({ one: () => Promise.reject(gone) });
    expect((await run({ submit })).job).toMatchObject({ status: 'failed', error: 'the image is gone' });
    expect(tries).toEqual(['one']);
  });

  test('after a response was lost, whatever the provider says to the same submit later', async () => {
    const answers = [() => error('ambiguous'), () => error('rate_limited'), () => error('refused', 'no')];
    const { tries, submit } = asked({ one: (nth) => answers[nth - 1]!() });
    const world = await run({ submit, resubmit: 'token' });
    expect(tries).toEqual(['one', 'one', 'one']);
    expect(world.job).toMatchObject({ status: 'failed', error: 'no' });
  });

  test.each(['token', 'none'] as const)(
    'after a worker died in the middle of a submit whose offer was removed then (%s)',
    async (resubmit) => {
      const { tries, submit } = asked({});
      const job = aMovableJob({ phase: 'submitting', submits: 1 });
      const world = await run({ submit, resubmit }, { job, catalogue: everyone.slice(1) });
      expect(tries).toEqual([]);
      expect(world.job).toMatchObject({
        status: 'failed',
        error:
          'The provider did not confirm the job; Genway does not submit it again, because the provider could charge for both submissions',
      });
    },
  );

  test('after a worker died in the middle of a submit', async () => {
    const { tries, submit } = asked({
      one: (nth) => (nth === 1 ? error('rate_limited') : error('refused', 'no')),
    });
    const world = worldOf(
      { submit, resubmit: 'token' },
      aMovableJob({ phase: 'submitting', submits: 1 }),
      everyone,
    );
    await world.run();
    expect(tries).toEqual(['one', 'one']);
    expect(world.job.status).toBe('failed');
  });
});

const ANSWERS = [
  'taken',
  'lost after',
  'lost before',
  'rate_limited',
  'unavailable',
  'refused',
  'credential',
  'moderated',
] as const;

describe('in any order of failures', () => {
  const told = fc.record({
    resubmit: fc.constantFrom('token' as const, 'lookup' as const, 'none' as const),
    answers: fc.array(fc.constantFrom(...ANSWERS), { maxLength: 12 }),
    crashes: fc.array(
      fc.tuple(fc.integer({ min: 1, max: 25 }), fc.constantFrom('before' as const, 'after' as const)),
      {
        maxLength: 3,
      },
    ),
    gone: fc.subarray(NAMES, { maxLength: 2 }),
    goneFrom: fc.constantFrom(0, 1, 1, 2, 3),
    byok: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
    countsByok: fc.boolean(),
    reported: fc.option(fc.nat(200), { nil: undefined }),
  });

  test('a job is made at most once, by one provider, and costs no more than was held', async () => {
    let moved = 0;
    await fc.assert(
      fc.asyncProperty(
        told,
        async ({ resubmit, answers, crashes, gone, goneFrom, byok, countsByok, reported }) => {
          const works = new Map<string, number>();
          const left = [...answers];
          const script: Script = {
            resubmit,
            submit: async (_, __, provider) => {
              const answer = left.shift() ?? 'taken';
              if (answer === 'lost before') throw new ProviderError('ambiguous', answer);
              if (answer !== 'taken' && answer !== 'lost after') throw new ProviderError(answer, answer);
              const isKnown = resubmit === 'token' && works.has(provider);
              if (!isKnown) works.set(provider, (works.get(provider) ?? 0) + 1);
              if (answer === 'lost after') throw new ProviderError('ambiguous', answer);
              return accepted(provider);
            },
            lookup: async () => (works.size === 0 ? 'absent' : accepted([...works.keys()][0]!)),
            poll: async () => ({
              state: 'succeeded',
              outputs: [{ kind: 'url', url: 'https://provider.example/1.mp4' }],
              ...(reported === undefined ? {} : { costMicros: micros(reported) }),
            }),
          };
          const { alternatives, ...first } = aMovableJob({ is_byok: byok[0] });
          const others = alternatives.map((place, index) => ({ ...place, is_byok: byok[index + 1]! }));
          const job = { ...first, alternatives: others };
          const world = worldOf(script, job, everyone);
          let looks = 0;
          const remaining = new Catalogue(everyone.filter(({ provider }) => !gone.includes(provider)));
          const whole = new Catalogue(everyone);
          Object.assign(world.ports, { catalogue: async () => (looks++ < goneFrom ? whole : remaining) });
          const dies = new Map(crashes);
          world.crash = (call) => dies.get(call);
          await world.run();
          world.crash = () => undefined;
          for (let i = 0; i < 60 && world.job.phase !== 'settled'; i++) {
            world.now += 60_000;
            await world.sweep();
            await world.run();
          }

          expect([...works.values()].reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(1);
          expect(world.job.phase).toBe('settled');
          if (
            world.job.history.some(({ status, provider }) => status === 'pending' && provider !== undefined)
          )
            moved++;
          const { status, provider, cost_micros: cost = micros(0), is_byok: isByok } = world.job;
          if (status !== 'completed') expect(cost).toBe(0);
          else expect([...works.keys()]).toEqual([provider]);
          const charges = [job, ...others].map((place) => ({
            micros: place.estimate_micros,
            isByok: place.is_byok,
          }));
          const hold = holdOf({ ...emptyAccount('key#1'), counts_byok: countsByok }, charges, START);
          if (counts({ micros: cost, isByok }, hold)) expect(cost).toBeLessThanOrEqual(hold.micros);
          expect(cost).toBeLessThanOrEqual(PRICES[NAMES.indexOf(provider!)]!);
        },
      ),
      { numRuns: 1_500, seed: 1 },
    );
    expect(moved).toBeGreaterThan(100);
  });
});
