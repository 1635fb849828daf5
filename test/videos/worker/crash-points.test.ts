import { describe, expect, test } from '@jest/globals';
import { ProviderError, type ProviderState } from '../../../functions/videos/providers/provider.ts';
import { JobWorld, linked, type Script, succeeded } from './job-world.ts';

const running: ProviderState = { state: 'running', progress: 30 };
const twoPolls: Script = { poll: async (attempt) => (attempt < 3 ? running : succeeded()) };
const fails = (
  kind: ConstructorParameters<typeof ProviderError>[0],
  times = 1,
): NonNullable<Script['submit']> => {
  return async (attempt, { id }) => {
    if (attempt <= times) throw new ProviderError(kind, 'No');
    return { ref: { id }, upstreamId: 'up-1' };
  };
};

/** Different lives of a job. The provider takes a token, so anything that is lost can be requested again. */
const WAYS: Readonly<Record<string, Script>> = {
  'goes well': twoPolls,
  'is put off by its provider': { ...twoPolls, submit: fails('rate_limited') },
  'loses the answer to its submit': { ...twoPolls, submit: fails('ambiguous') },
  'is looked up': {
    ...twoPolls,
    resubmit: 'lookup',
    submit: fails('ambiguous', 9),
    lookup: async (id) => ({ ref: { id }, upstreamId: 'up-1' }),
  },
  'is polled in vain at first': {
    poll: async (attempt) => {
      if (attempt < 3) throw new ProviderError('unavailable', 'No');
      return succeeded();
    },
  },
  'has a result that cannot be had at first': {
    poll: async () => linked(),
    download: async (attempt) => new Response('video', { status: attempt < 2 ? 404 : 200 }),
  },
  'is refused': { submit: fails('refused', 9) },
  'is moderated': { poll: async () => ({ state: 'failed', reason: 'No', moderated: true }) },
  'expires at its provider': { poll: async () => ({ state: 'expired', reason: 'No' }) },
  'is never finished': { poll: async () => running },
};

async function live(script: Script, crash: JobWorld['crash'] = () => undefined): Promise<JobWorld> {
  const world = new JobWorld(script);
  world.crash = crash;
  await world.run(1_000);
  // After a crash between the record of the acceptance and its message, only the sweeper continues the job.
  while (world.job.phase !== 'settled') {
    world.now += 60_000;
    await world.sweep();
    await world.run(1_000);
  }
  return world;
}

const endOf = ({ job: { status, phase, cost_micros, outputs, error }, events }: JobWorld) => ({
  ...{ status, phase, cost_micros, error },
  // Each attempt to copy uses another key.
  outputs: outputs?.map(({ key, ...rest }) => ({ ...rest, key: key.replace(/step-\d+/, 'attempt') })),
  events: [...events.values()].map(({ id, type }) => [id, type]),
});

// The calls of a run without a crash are the crash points, so a new call is covered automatically.
const points = await Promise.all(
  Object.entries(WAYS).map(async ([way, script]) => {
    const golden = await live(script);
    const names = golden.calls.map((name, i) => [way, `${i + 1}, ${name}`, i + 1, golden] as const);
    // A job that never finishes has many equal polls. The first and the last ones are enough.
    return names.length < 40 ? names : [...names.slice(0, 20), ...names.slice(-20)];
  }),
);

describe('a crash', () => {
  test.each(points.flat())(
    'of a job that %s, at call %s, does not change its end',
    async (way, _, call, golden) => {
      for (const effect of ['before', 'after'] as const) {
        const world = await live(WAYS[way] ?? {}, (each) => (each === call ? effect : undefined));
        expect(endOf(world)).toEqual(endOf(golden));
      }
    },
  );

  test('between the submit and its record fails the job at a provider that cannot detect repeats', async () => {
    const golden = await live(twoPolls);
    const submit = golden.calls.indexOf('submit') + 1;
    const world = await live({ ...twoPolls, resubmit: 'none' }, (each) =>
      each === submit ? 'after' : undefined,
    );
    expect(world.submits).toHaveLength(1);
    expect(world.job).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/could charge for both submissions/),
    });
  });
});
