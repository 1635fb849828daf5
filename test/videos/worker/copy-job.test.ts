import { describe, expect, test } from '@jest/globals';
import { MOST_CALLS_AT_ONCE } from '../../../functions/fair-shares.ts';
import { UnusableResult } from '../../../functions/videos/results/open-result.ts';
import { copyJob } from '../../../functions/videos/worker/copy-job.ts';
import { aJob } from '../jobs/job-fixture.ts';
import { JobWorld, linked, type Script } from './job-world.ts';

const polling = () => aJob({ phase: 'polling', status: 'in_progress', ref: { id: 'up' } });
const video = async () => new Response('video');

async function run(script: Script) {
  const world = new JobWorld({ poll: async () => linked(), ...script }, polling());
  await world.run();
  return world;
}

async function* brokenOff(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('vid');
  throw new Error('other side closed');
}

describe('a result that cannot be fetched', () => {
  test.each<[string, () => Promise<Response>]>([
    ['an expired address', async () => new Response(null, { status: 403 })],
    ['an address that is gone', async () => new Response(null, { status: 410 })],
    ['a server in trouble', async () => new Response(null, { status: 502 })],
    ['a reset connection', () => Promise.reject(new TypeError('fetch failed'))],
    ['a body that breaks off', async () => new Response(ReadableStream.from(brokenOff()))],
  ])('for %s is requested again, and copied from its fresh address', async (_, failing) => {
    const asked: string[] = [];
    const world = await run({
      poll: async (attempt) => linked(`https://provider.example/${attempt}.mp4`),
      download: (attempt, url) => {
        asked.push(url);
        return attempt < 6 ? failing() : video();
      },
    });
    expect(world.job).toMatchObject({
      status: 'completed',
      outputs: [{ size_bytes: 5 }],
      unusable_copies: 0,
    });
    expect(new Set(asked)).toHaveProperty('size', 6);
    expect(world.eventMessages).toHaveLength(1);
  });

  test('until the deadline lets the job expire with the reason, at no cost', async () => {
    const world = await run({ download: async () => new Response(null, { status: 404 }) });
    expect(world.job).toMatchObject({
      status: 'expired',
      error: expect.stringMatching(/could not be copied .* in time: .* returned 404/),
    });
    expect(world.job).not.toHaveProperty('cost_micros');
    expect(world.eventMessages).toHaveLength(1);
  });

  test('because our own bucket fails does not count against the provider, and is copied later', async () => {
    const world = await run({
      judge: (attempt) => {
        if (attempt < 3) throw new Error('SlowDown');
      },
    });
    expect(world.job).toMatchObject({ status: 'completed', unusable_copies: 0 });
    expect(world.job.copy_error).not.toMatch('SlowDown');
  });
});

test('a result that comes too slowly leaves the copier to others for five minutes, and the job says why it expired', async () => {
  const world = new JobWorld({ poll: async () => linked() }, polling());
  const begun: number[] = [];
  const inDrops = async function* () {
    for (let minute = 0; minute < 20; minute++) {
      world.now += 60_000;
      yield Buffer.from('a drop');
    }
  };
  world.script.download = async () => {
    begun.push(world.now);
    return new Response(ReadableStream.from(inDrops()));
  };
  await world.run();
  expect(begun.length).toBeGreaterThan(2);
  // The last wait is shorter, so that the job is looked at when its deadline comes.
  const waits = begun.slice(1, -2).map((at, i) => at - begun[i]!);
  expect(new Set(waits)).toEqual(new Set([60_000 + 300_000]));
  expect(world.job).toMatchObject({
    status: 'expired',
    error: expect.stringMatching(/could not be copied .* in time: .* was too slow/),
  });
});

describe('a result that is not a video', () => {
  const spoiltUntil = (good: number): Script => ({
    judge: (attempt) => {
      if (attempt < good) throw new UnusableResult('Not a whole MP4');
    },
  });

  test('is fetched twice more', async () => {
    expect((await run(spoiltUntil(3))).job).toMatchObject({ status: 'completed', unusable_copies: 2 });
  });

  test('the third time fails the job, at no cost', async () => {
    const world = await run(spoiltUntil(4));
    expect(world.job).toMatchObject({ status: 'failed', error: 'Not a whole MP4' });
    expect(world.job).not.toHaveProperty('cost_micros');
    expect(world.calls.filter((call) => call === 'save')).toHaveLength(3);
  });

  test('is not counted together with copies that broke off', async () => {
    const world = await run({
      ...spoiltUntil(3),
      download: (attempt) => (attempt % 2 === 1 ? Promise.reject(new TypeError('fetch failed')) : video()),
    });
    expect(world.job).toMatchObject({ status: 'completed', unusable_copies: 2 });
  });
});

describe('results without end', () => {
  const results = (count: number) => ({
    state: 'succeeded' as const,
    outputs: Array.from({ length: count }, (_, n) => ({
      kind: 'url' as const,
      url: `https://provider.example/${n}.mp4`,
    })),
  });

  test('are accepted up to sixteen', async () => {
    const { job } = await run({ poll: async () => results(16), download: video });
    expect(job).toMatchObject({ status: 'completed' });
    expect(job.outputs).toHaveLength(16);
  });

  test('fail the job, and none is copied', async () => {
    const world = await run({ poll: async () => results(17), download: video });
    expect(world.job).toMatchObject({
      status: 'failed',
      error: 'The provider returned 17 videos, but Genway accepts at most 16',
    });
    expect(world.calls).not.toContain('save');
  });
});

describe('of several results', () => {
  const both = async () => ({
    state: 'succeeded' as const,
    outputs: [0, 1].map((n) => ({ kind: 'url' as const, url: `https://provider.example/${n}.mp4` })),
  });
  const secondFailsUntil = (good: number): Script => ({
    poll: both,
    download: (attempt, url) => {
      const fails = url.endsWith('1.mp4') && attempt < good;
      return fails ? Promise.resolve(new Response(null, { status: 404 })) : video();
    },
  });
  const left = ({ saved, removed }: JobWorld) => saved.filter((key) => !removed.includes(key));

  test('none stays if the job fails because of one', async () => {
    const world = await run(secondFailsUntil(Number.POSITIVE_INFINITY));
    expect(world.job.status).toBe('expired');
    expect(world.saved.length).toBeGreaterThan(2);
    expect(left(world)).toEqual([]);
  });

  test('those of the attempt that succeeded stay, and no others', async () => {
    const world = await run(secondFailsUntil(6));
    expect(world.job.status).toBe('completed');
    expect(left(world)).toEqual(world.job.outputs?.map(({ key }) => key));
  });

  test('those that cannot be removed keep no job from ending', async () => {
    const world = await run({
      ...secondFailsUntil(6),
      remove: () => Promise.reject(new Error('S3 is away')),
    });
    expect(world.job).toMatchObject({ status: 'completed', copy_error: expect.stringContaining('404') });
  });
});

const made = (change: Parameters<typeof aJob>[0] = {}) =>
  aJob({ phase: 'made', status: 'in_progress', ref: { id: 'up' }, ...change });
const message = { v: 1, job_id: aJob().id, seq: 0 } as const;

describe('a copy that is under way', () => {
  test('leaves the job in progress until it is committed, however long it takes', async () => {
    const world = new JobWorld({ poll: async () => linked() }, polling());
    const seen = new Set<string>();
    world.turn = async () => void seen.add(`${world.job.phase} ${world.job.status}`);
    await world.run();
    expect([...seen]).toEqual(
      ['polling', 'made', 'copying'].map((phase) => `${phase} in_progress`).concat('settled completed'),
    );
  });

  test('delays no poll: the message goes to another queue, and the poller is done', async () => {
    const world = new JobWorld({ poll: async () => linked() }, polling());
    await world.deliver(world.messages[0]!);
    expect(world.calls).toEqual(['find', 'poll', 'apply', 'send']);
    expect(world.messages).toMatchObject([{ queue: 'copies', message: { seq: 1, link: world.job.link } }]);
  });

  test('is started again only after its lease has expired', async () => {
    const world = new JobWorld({ poll: async () => linked() }, made());
    world.crash = (call) => (world.calls[call - 1] === 'save' ? 'before' : undefined);
    const first = { ...world.messages[0]!, queue: 'copies' as const };
    await world.deliver(first);
    expect(world.job.phase).toBe('copying');
    world.crash = () => undefined;
    await copyJob(message, world.ports);
    expect(world.job.phase).toBe('copying');
    world.messages = [];
    for (let minute = 0; minute < 20; minute++) {
      world.now += 60_000;
      await world.sweep();
    }
    expect(world.messages).toMatchObject([{ queue: 'copies' }]);
    await world.run();
    expect(world.job.status).toBe('completed');
  });

  test('names the attempt that was committed, and no other', async () => {
    const world = new JobWorld({ poll: async () => linked() }, made());
    await Promise.all([copyJob(message, world.ports), copyJob(message, world.ports)]);
    expect(world.saved).toEqual([world.job.outputs?.[0]?.key]);
    expect(world.settlements).toBe(1);
  });

  test('uses another key than an abandoned attempt, which may still be writing', async () => {
    const left = made({ phase: 'copying', due_at: 0, step: 'left' });
    const world = new JobWorld({ poll: async () => linked() }, left);
    await copyJob(message, world.ports);
    expect(world.saved).toEqual([expect.stringMatching(/\/step-\d+\/0\.mp4$/)]);
    expect(world.saved[0]).not.toContain(left.step);
  });

  test.each([made(), made({ phase: 'copying', due_at: 0 })])(
    'that a busy provider delays waits for no provider to confirm the job: $phase',
    async (job) => {
      const world = new JobWorld({}, job);
      const { id: jobId, provider, workspace_id: workspaceId, model: offer } = job;
      const call = { kind: 'poll', provider: provider!, workspaceId, offer, jobId } as const;
      for (let calls = 0; calls < MOST_CALLS_AT_ONCE.poll; calls++) world.ports.gate.enter(call);
      await copyJob(message, world.ports);
      expect(world.calls).toEqual(['find', 'send', 'apply']);
      expect(world.job).not.toHaveProperty('waiting_for');
    },
  );

  test('past the last moment of the deadline is not started a third time: the job ends', async () => {
    const world = new JobWorld({ poll: async () => linked() }, made({ phase: 'copying', due_at: 0 }));
    world.now = world.job.deadline_at + 5 * 60_000;
    await copyJob(message, world.ports);
    expect([world.job.status, world.saved]).toEqual(['expired', []]);
  });
});

describe('a message of a job', () => {
  test.each(['queued', 'submitting', 'polling', 'settled'] as const)(
    'that is %s is ignored by a copier, which cannot submit',
    async (phase) => {
      const world = new JobWorld({}, aJob({ phase, due_at: 0 }));
      await copyJob(message, world.ports);
      expect(world.calls).toEqual(['find']);
    },
  );

  test.each(['made', 'copying'] as const)('that is %s is ignored by a poller', async (phase) => {
    const world = new JobWorld({}, made({ phase, due_at: 0 }));
    await world.deliver(world.messages[0]!);
    expect(world.calls).toEqual(['find']);
  });
});

test.each([
  ['failed', { state: 'failed', reason: 'gone bad' }],
  ['expired', { state: 'expired', reason: 'gone' }],
] as const)(
  'a result that the provider takes back before it is copied leaves the job %s',
  async (status, state) => {
    const world = new JobWorld({ poll: async (attempt) => (attempt === 1 ? linked() : state) }, polling());
    await world.run();
    expect(world.job).toMatchObject({ status, error: state.reason });
    expect(world.job).not.toHaveProperty('cost_micros');
  },
);

test('a provider that reports a finished result as unfinished is polled again later', async () => {
  const poll: Script['poll'] = async (attempt) => (attempt === 2 ? { state: 'running' } : linked());
  expect((await run({ poll })).job).toMatchObject({ status: 'completed', progress: 100 });
});
