import { describe, expect, jest, test } from '@jest/globals';
import { ProviderError, type ProviderState } from '../../../functions/videos/providers/provider.ts';
import { advanceJob, pollJob } from '../../../functions/videos/worker/advance-job.ts';
import { tooLate } from '../../../functions/videos/worker/cancel-upstream.ts';
import { aJob, START } from '../jobs/job-fixture.ts';
import { JobWorld, type Script, succeeded } from './job-world.ts';

const running = (progress: number): ProviderState => ({ state: 'running', progress });
const twoPolls: Script = { poll: async (attempt) => (attempt < 3 ? running(attempt * 30) : succeeded()) };

async function run(script: Script, job = aJob()) {
  const world = new JobWorld(script, job);
  await world.run();
  return world;
}

describe('a job that goes well', () => {
  test('is submitted once, polled until it is done, copied, and reported once', async () => {
    const world = await run(twoPolls);
    expect(world.job).toMatchObject({
      status: 'completed',
      phase: 'settled',
      cost_micros: 40_000,
      generation_id: 'gen_01jg000000000000000000000a',
      outputs: [{ key: 'kept-30d/ws-1/vid_01jg000000000000000000000a/step-5/0.mp4' }],
      kept_days: 30,
    });
    expect(world.submits).toHaveLength(1);
    expect(world.outcomes).toEqual(['completed']);
    expect(world.eventMessages).toEqual(['msg_01jg000000000000000000000a']);
    expect(JSON.parse(world.events.get('msg_01jg000000000000000000000a')!.body)).toMatchObject({
      type: 'video.generation.completed',
      data: {
        id: world.job.id,
        status: 'completed',
        unsigned_urls: [`https://api.example/api/v1/videos/${world.job.id}/content?index=0`],
        usage: { cost: 0.04, is_byok: false },
      },
    });
  });

  test('costs one read, one message and one write for each poll, and two writes for the copy', async () => {
    const { calls } = await run(twoPolls);
    expect(calls).toEqual([
      ...['find', 'find request', 'apply', 'find key', 'submit', 'apply', 'send'],
      ...['find', 'poll', 'send', 'apply'],
      ...['find', 'poll', 'send', 'apply'],
      ...['find', 'poll', 'apply', 'send'],
      ...['find', 'apply', 'poll', 'find workspace', 'save', 'settle', 'send event'],
    ]);
  });
});

describe('a job whose polls learn nothing', () => {
  const untilSecond = (seconds: number): [JobWorld, () => number] => {
    const world = new JobWorld({
      poll: async () => (world.now < START.getTime() + seconds * 1000 ? { state: 'running' } : succeeded()),
    });
    return [world, () => world.calls.filter((call) => call === 'poll').length];
  };
  const deliverUntil = async (world: JobWorld, isReached: () => boolean) => {
    while (!isReached()) {
      world.messages.sort((one, other) => one.dueAt - other.dueAt);
      await world.deliver(world.messages[0]!);
    }
  };

  test('is written at its first poll and then once a minute, and counts all of them', async () => {
    const [world, polls] = untilSecond(240);
    await world.run();
    expect(world.job.status).toBe('completed');
    const steps = world.calls.slice(world.calls.indexOf('poll'), world.calls.lastIndexOf('apply') - 3);
    expect([polls(), steps.filter((call) => call === 'apply').length]).toEqual([25, 5]);
    // The copy asks once more.
    expect(world.job.polls).toBe(polls() - 1);
  });

  test('goes on with each of two copies of a message until the next link, and then with one', async () => {
    const [single, ofSingle] = untilSecond(600);
    await single.run();
    const [world, polls] = untilSecond(600);
    await deliverUntil(world, () => world.calls.length > single.calls.indexOf('poll') + 6);
    expect(world.messages).toHaveLength(1);
    world.messages.push({ ...world.messages[0]! });
    await world.run();
    expect(world.job.status).toBe('completed');
    expect(polls()).toBeGreaterThan(ofSingle());
    expect(polls()).toBeLessThan(ofSingle() + 10);
  });

  test('is found by the sweeper within three and a half minutes after its message was lost', async () => {
    for (let lost = 3; lost < 12; lost++) {
      const [world, polls] = untilSecond(3_600);
      await deliverUntil(world, () => polls() === lost);
      expect(world.messages).toHaveLength(1);
      world.messages = [];
      const lostAt = world.now;
      while (world.messages.length === 0) {
        world.now += 60_000;
        await world.sweep();
      }
      expect(world.now - lostAt).toBeLessThanOrEqual(210_000);
    }
  });

  test('is asked about at the pace of all its polls, by whichever version', async () => {
    const polling = { phase: 'polling', status: 'in_progress', seq: 3, link: 'this' } as const;
    for (const [polls, seconds] of [
      [7, 10],
      [undefined, 2],
    ] as const) {
      const job = aJob({ ...polling, polls: 1, due_at: START.getTime() + 60_000 });
      const world = new JobWorld({ poll: async () => ({ state: 'running' }) }, job);
      world.messages = [];
      const message = { v: 1, job_id: job.id, seq: 3, link: 'this' } as const;
      await advanceJob(polls === undefined ? message : { ...message, polls }, world.ports);
      expect(world.calls).toEqual(['find', 'poll', 'send']);
      expect(world.job).toEqual(job);
      expect(world.messages).toMatchObject([
        { message: { ...message, polls: (polls ?? 1) + 1 }, dueAt: START.getTime() + seconds * 1000 },
      ]);
    }
  });
});

const aCall = (kind: 'submit' | 'poll', of: number) => ({
  kind,
  provider: 'sandbox',
  workspaceId: `ws-${of + 2}`,
  offer: 'sandbox/clip-1',
  jobId: 'vid_other',
});

describe('a provider with an open circuit', () => {
  const unavailable = new ProviderError('unavailable', 'down');

  test('is not called; the job waits, for one read, one message and one write', async () => {
    const world = new JobWorld({}, aJob({ phase: 'polling', status: 'in_progress' }));
    for (let i = 0; i < 5; i++) {
      const down = world.ports.gate.watch(aCall('poll', i), () => Promise.reject(unavailable));
      await expect(down).rejects.toBe(unavailable);
    }
    await advanceJob({ v: 1, job_id: world.job.id, seq: 0 }, world.ports);
    expect(world.calls).toEqual(['find', 'send', 'apply']);
    expect(world.job).toMatchObject({ phase: 'polling', seq: 1, polls: 0 });
    expect(world.messages.at(-1)).toMatchObject({ dueAt: START.getTime() + 15_000 });
    await world.run();
    expect(world.job.status).toBe('completed');
  });

  test('gets no submit either, and none is counted', async () => {
    const world = new JobWorld();
    for (let i = 0; i < 5; i++) {
      const down = world.ports.gate.watch(aCall('submit', i), () => Promise.reject(unavailable));
      await expect(down).rejects.toBe(unavailable);
    }
    await advanceJob({ v: 1, job_id: world.job.id, seq: 0 }, world.ports);
    expect(world.job).toMatchObject({ phase: 'queued', submits: 0, due_at: START.getTime() + 15_000 });
  });

  test('keeps a job at most five minutes past its deadline', async () => {
    const world = await run({ poll: () => Promise.reject(unavailable) });
    expect(world.job.status).toBe('expired');
    expect(world.now).toBe(world.job.deadline_at + 5 * 60_000);
  });

  test('does not postpone a job whose submit is under way', async () => {
    const leased = aJob({ phase: 'submitting', submits: 1, due_at: START.getTime() + 60_000 });
    const world = new JobWorld({}, leased);
    for (let i = 0; i < 6; i++) world.ports.gate.enter(aCall('submit', i));
    await advanceJob({ v: 1, job_id: leased.id, seq: 0 }, world.ports);
    expect(world.job).toEqual(leased);
  });
});

describe('a provider’s response', () => {
  test.each<[string, Script, string, RegExp]>([
    [
      'a refusal',
      { submit: async () => Promise.reject(new ProviderError('refused', 'bad prompt')) },
      'failed',
      /bad prompt/,
    ],
    ['a failure', { poll: async () => ({ state: 'failed', reason: 'GPU fell over' }) }, 'failed', /GPU/],
    ['an expiry', { poll: async () => ({ state: 'expired', reason: 'too old' }) }, 'expired', /too old/],
    [
      'success without a video',
      { poll: async () => ({ state: 'succeeded', outputs: [] }) },
      'failed',
      /without a video/,
    ],
    ['no end', { poll: async () => running(1) }, 'expired', /No result from the provider arrived in time/],
    [
      'no answer without a key',
      { poll: async () => Promise.reject(new ProviderError('credential', 'no key')) },
      'expired',
      /could not be read from the provider in time: no key/,
    ],
  ])('%s ends the job, at no cost, with one event', async (_, script, status, error) => {
    const world = await run(script);
    expect(world.job).toMatchObject({ status, phase: 'settled', error: expect.stringMatching(error) });
    expect(world.job).not.toHaveProperty('cost_micros');
    expect(world.eventMessages).toHaveLength(1);
  });

  test.each<[string, Script]>([
    ['at the submit', { submit: async () => Promise.reject(new ProviderError('moderated', 'unsafe')) }],
    ['during the work', { poll: async () => ({ state: 'failed', reason: 'unsafe', moderated: true }) }],
  ])('moderation %s is distinguished from other failures', async (_, script) => {
    const world = await run(script);
    expect(world.job).toMatchObject({
      status: 'failed',
      error: 'Refused by the provider’s moderation: unsafe',
    });
    expect(world.job).not.toHaveProperty('cost_micros');
    expect([world.outcomes, world.submits.length]).toEqual([['moderated'], 1]);
    expect(world.noted).toEqual([world.job]);
  });

  test.each(['rate_limited', 'unavailable', 'refused', 'ambiguous', 'credential'] as const)(
    'a poll that fails as %s does not fail the job',
    async (kind) => {
      const poll = async (attempt: number) => {
        if (attempt < 3) throw new ProviderError(kind, 'not now', { retryAfterSeconds: 7 });
        return succeeded();
      };
      expect((await run({ poll })).job.status).toBe('completed');
    },
  );

  test.each(['rate_limited', 'unavailable'] as const)(
    'a submit that is %s is retried later',
    async (kind) => {
      const submit = async (attempt: number) => {
        if (attempt < 4) throw new ProviderError(kind, 'not now');
        return { ref: {}, upstreamId: 'up' };
      };
      const world = await run({ submit, resubmit: 'none' });
      expect(world.job.status).toBe('completed');
      expect(world.submits).toHaveLength(4);
    },
  );

  test('a submit whose response is lost is repeated only if a token makes that safe', async () => {
    const submit = async (attempt: number) => {
      if (attempt === 1) throw new ProviderError('ambiguous', 'time-out');
      return { ref: {}, upstreamId: 'up' };
    };
    expect((await run({ submit, resubmit: 'token' })).job.status).toBe('completed');
    const unsafe = await run({ submit, resubmit: 'none' });
    expect(unsafe.submits).toHaveLength(1);
    expect(unsafe.job).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/could charge for both submissions/),
    });
  });
});

describe('a job that expires', () => {
  test.each<[string, Script['cancel']]>([
    ['that stops the work', async () => 'cancelled'],
    ['that does not stop the work', () => Promise.reject(new ProviderError('unavailable', 'busy'))],
  ])('is stopped at a provider %s, once it has ended', async (_, cancel) => {
    const late = aJob({ phase: 'polling', status: 'in_progress', ref: { id: 'up' } });
    const world = new JobWorld({ cancel: cancel!, poll: async () => ({ state: 'running' }) }, late);
    world.now = late.deadline_at;
    await world.run();
    expect(world.calls.slice(0, 5)).toEqual(['find', 'poll', 'settle', 'send event', 'cancel']);
    expect(world.job.status).toBe('expired');
  });

  const wish = { cancel_requested_at: '2026-01-01T00:00:00.000Z' };
  test.each<[string, object, Script, number, string[]]>([
    ['is running', {}, { poll: async () => running(50) }, 0, ['poll', 'cancel']],
    [
      'is running, and does not stop',
      wish,
      { cancel: async () => 'requested', poll: async () => running(50) },
      0,
      ['poll', 'cancel'],
    ],
    [
      'is not told of',
      wish,
      { poll: () => Promise.reject(new ProviderError('ambiguous', 'time-out')) },
      5 * 60_000,
      ['poll'],
    ],
  ])(
    'while it %s needs at most two calls to its provider, of which the gate learns',
    async (_, wished, script, late, calls) => {
      const job = aJob({ phase: 'polling', status: 'in_progress', ref: { id: 'up' }, ...wished });
      const world = new JobWorld(
        { cancels: { deletesFinished: true, staysReadable: false }, ...script },
        job,
      );
      world.now = job.deadline_at + late;
      const watch = jest.spyOn(world.ports.gate, 'watch');
      await world.run();
      expect(world.job.status).toBe('expired');
      expect(world.calls.filter((call) => ['poll', 'cancel'].includes(call))).toEqual(calls);
      expect(watch).toHaveBeenCalledTimes(calls.length);
    },
  );

  test('is completed if its provider has finished it, however late it is polled', async () => {
    const world = new JobWorld({}, aJob({ phase: 'polling', status: 'in_progress', ref: { id: 'up' } }));
    world.now = world.job.deadline_at + 60 * 60_000;
    await world.run();
    expect(world.job.status).toBe('completed');
  });
});

describe('a message', () => {
  test('of a settled job, an unknown job or an earlier link changes nothing', async () => {
    const settled = new JobWorld({}, aJob({ phase: 'settled', status: 'failed' }));
    await advanceJob({ v: 1, job_id: settled.job.id, seq: 0 }, settled.ports);
    await advanceJob({ v: 1, job_id: 'vid_unknown', seq: 0 }, settled.ports);
    const later = new JobWorld({}, aJob({ phase: 'polling', seq: 5 }));
    await advanceJob({ v: 1, job_id: later.job.id, seq: 4 }, later.ports);
    expect([...settled.calls, ...later.calls]).toEqual(['find', 'find', 'find']);
  });

  test('that is a copy of the committed one changes nothing', async () => {
    const world = new JobWorld(twoPolls, aJob({ phase: 'polling', seq: 5, link: 'committed' }));
    await advanceJob({ v: 1, job_id: world.job.id, seq: 5, link: 'copy' }, world.ports);
    expect(world.calls).toEqual(['find']);
    await advanceJob({ v: 1, job_id: world.job.id, seq: 5, link: 'committed' }, world.ports);
    expect(world.calls).toContain('poll');
  });

  test('that arrives while another worker submits does not submit a second time', async () => {
    const leased = aJob({ phase: 'submitting', submits: 1, due_at: START.getTime() + 60_000 });
    const world = new JobWorld({}, leased);
    await advanceJob({ v: 1, job_id: leased.id, seq: 0 }, world.ports);
    expect(world.calls).toEqual(['find']);
  });

  test('three times, in any order, gives one submit, one end and one event', async () => {
    const world = new JobWorld(twoPolls);
    for (const queue of [world.queues.submits, world.queues.polls]) {
      const send = queue.send.bind(queue);
      const thrice: typeof send = async (...message) => {
        for (const _ of [1, 2, 3]) await send(...message);
      };
      Object.assign(queue, { send: thrice });
    }
    await world.run(1_000);
    expect(world.job.status).toBe('completed');
    expect(world.submits).toHaveLength(1);
    expect(world.eventMessages).toHaveLength(1);
  });
});

describe('a message of a version without submitters', () => {
  test.each(['queued', 'submitting'] as const)(
    'of a job that is %s is passed on by a poller as it is',
    async (phase) => {
      const world = new JobWorld({}, aJob({ phase, seq: 5, link: 'committed', due_at: 0 }));
      world.messages = [];
      const message = { v: 1, job_id: world.job.id, seq: 5, link: 'committed' } as const;
      await pollJob(message, world.ports);
      expect(world.calls).toEqual(['find', 'send']);
      expect(world.messages).toMatchObject([{ queue: 'submits', message, dueAt: world.now }]);
      await world.run();
      expect(world.job.status).toBe('completed');
    },
  );

  test.each([
    ['is old', aJob({ phase: 'queued', seq: 6 })],
    [
      'is of a job that another worker submits',
      aJob({ phase: 'submitting', seq: 5, due_at: START.getTime() + 1 }),
    ],
  ])('that %s is dropped', async (_, job) => {
    const world = new JobWorld({}, job);
    await pollJob({ v: 1, job_id: job.id, seq: 5 }, world.ports);
    expect(world.calls).toEqual(['find']);
  });
});

test.each([
  ['queued', 'Genway could not submit the job to a provider in time'],
  ['submitting', 'The provider did not confirm the job in time'],
  ['polling', 'No result from the provider arrived in time'],
  ['copying', 'Genway did not copy the video from the provider in time'],
] as const)('a job that took too long while %s says who was late', (phase, reason) => {
  expect(tooLate(aJob({ phase }))).toEqual({ type: 'expired', reason });
});
