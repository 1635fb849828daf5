import { describe, expect, test } from '@jest/globals';
import { findOffer } from '../../../functions/videos/catalogue/catalogue.ts';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { LAST_WORD_MILLISECONDS } from '../../../functions/videos/jobs/job-machine.ts';
import { adapterNames } from '../../../functions/videos/providers/dialects.ts';
import {
  ProviderError,
  type ProviderErrorKind,
  type Submission,
} from '../../../functions/videos/providers/provider.ts';
import { providerOf } from '../../../functions/videos/providers/registry.ts';
import { advanceJob } from '../../../functions/videos/worker/advance-job.ts';
import { providerJob } from '../../../functions/videos/worker/submit-job.ts';
import { aJob, START } from '../jobs/job-fixture.ts';
import { JobWorld, type Script, succeeded } from './job-world.ts';

const found: Submission = { ref: { id: 'found' }, upstreamId: 'up-found' };
const lost = () => Promise.reject(new ProviderError('ambiguous', 'time-out'));
const lostOnce = (attempt: number) => (attempt === 1 ? lost() : Promise.resolve(found));

async function run(script: Script, job = aJob()) {
  const world = new JobWorld({ resubmit: 'lookup', submit: lostOnce, ...script }, job);
  await world.run();
  return world;
}

describe('a submit whose response is lost, at a provider with a look-up', () => {
  test('is accepted if the provider has it', async () => {
    const asked: string[] = [];
    const world = await run({
      lookup: async (jobId) => {
        asked.push(jobId);
        return found;
      },
    });
    expect(world.job).toMatchObject({ status: 'completed', upstream_id: 'up-found', ref: { id: 'found' } });
    expect([asked, world.submits]).toEqual([[world.job.id], [world.job.id]]);
  });

  test('is repeated if the provider certainly does not have it', async () => {
    const world = await run({ lookup: async () => 'absent' });
    expect(world.job.status).toBe('completed');
    expect(world.submits).toHaveLength(2);
  });

  test.each<[string, Script]>([
    ['cannot tell', { lookup: async () => 'unknown' }],
    ['has no lookup', {}],
  ])('fails the job at no cost when the provider %s', async (_, script) => {
    const world = await run(script);
    expect(world.job).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/could charge for both submissions/),
    });
    expect(world.job).not.toHaveProperty('cost_micros');
    expect(world.submits).toHaveLength(1);
  });

  test('is looked up again while the provider does not list it yet', async () => {
    const seconds: number[] = [];
    const lookup = async () => {
      seconds.push((world.now - START.getTime()) / 1000);
      return seconds.length < 4 ? 'unknown' : found;
    };
    const world = new JobWorld({ resubmit: 'lookup', submit: lost, lookup });
    await world.run();
    expect(world.job).toMatchObject({ status: 'completed', upstream_id: 'up-found' });
    expect([world.submits.length, seconds]).toEqual([1, [15, 30, 45, 60]]);
  });

  test('fails if the provider does not list it within two minutes', async () => {
    const world = await run({ lookup: async () => 'unknown' });
    expect(world.job).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/could charge for both submissions/),
    });
    expect(world.now).toBe(START.getTime() + 120_000);
  });

  test('is looked up until there is a response', async () => {
    let asked = 0;
    const lookup = async () => {
      if (++asked < 4) throw new ProviderError('unavailable', 'not now');
      return found;
    };
    const world = await run({ lookup });
    expect([world.job.status, world.submits.length, asked]).toEqual(['completed', 1, 4]);
  });

  test.each([
    'unavailable',
    // A 429 does not close the gate to the provider. A closed gate would end jobs too.
    'rate_limited',
  ] as const)('is looked up until five minutes past the deadline, like a running video: %s', async (kind) => {
    const world = await run({ lookup: () => Promise.reject(new ProviderError(kind, 'not now')) });
    expect(world.job.status).toBe('expired');
    expect(world.now).toBe(world.job.deadline_at + LAST_WORD_MILLISECONDS);
    expect(world.submits).toHaveLength(1);
  });

  const late = aJob({ phase: 'submitting', submits: 1 });

  test('and is found after the deadline is polled before the job may expire', async () => {
    const world = new JobWorld({ resubmit: 'lookup', lookup: async () => found }, late);
    world.now = late.deadline_at + 1;
    await world.run();
    expect(world.job).toMatchObject({ status: 'completed', upstream_id: 'up-found' });
    expect(world.submits).toHaveLength(0);
  });

  test('that the provider does not have after the deadline is not repeated', async () => {
    const world = new JobWorld({ resubmit: 'lookup', lookup: async () => 'absent' }, late);
    world.now = late.deadline_at;
    await world.run();
    expect([world.job.status, world.submits]).toEqual(['expired', []]);
  });

  test('because the worker crashed is looked up only after the lease has expired', async () => {
    const leased = aJob({ phase: 'submitting', submits: 1, due_at: START.getTime() + 60_000 });
    const world = new JobWorld({ resubmit: 'lookup', lookup: async () => found }, leased);
    world.now = leased.due_at - 1;
    await advanceJob({ v: 1, job_id: leased.id, seq: 0 }, world.ports);
    expect(world.calls).toEqual(['find']);
    world.now = leased.due_at;
    await advanceJob({ v: 1, job_id: leased.id, seq: 0 }, world.ports);
    expect(world.calls.slice(1)).toEqual(['find', 'lookup', 'apply', 'send']);
    expect(world.job).toMatchObject({ phase: 'polling', upstream_id: 'up-found' });
  });
});

describe('a submit under a token that was never answered', () => {
  const deadline = aJob().deadline_at;
  const unanswered = (kind: ProviderErrorKind) => () => Promise.reject(new ProviderError(kind, 'no'));

  /** A provider that answers nothing until the deadline, and then this. */
  async function runPast(answer: () => Promise<Submission>, before: ProviderErrorKind = 'ambiguous') {
    const late: number[] = [];
    const submit = () => {
      if (world.now < deadline) return unanswered(before)();
      late.push(world.now);
      return answer();
    };
    const world = new JobWorld({ resubmit: 'token', submit });
    await world.run(1_000);
    return { world, late };
  }

  test('is sent once more after the deadline, and completes if the provider has it', async () => {
    const { world, late } = await runPast(async () => found);
    expect(world.job).toMatchObject({ status: 'completed', upstream_id: 'up-found' });
    // The gate has a provider rest that does not answer, at the deadline too.
    expect(late).toHaveLength(1);
  });

  test.each([
    [60_000, 'completed'],
    [LAST_WORD_MILLISECONDS + 1, 'expired'],
  ])('and is begun after the deadline is polled for five minutes: %i ms of work, %s', async (takes, end) => {
    const job = aJob({ submits: 1, may_be_taken: true });
    const world = new JobWorld(
      {
        resubmit: 'token',
        poll: async () => (world.now < deadline + takes ? { state: 'running' } : succeeded()),
      },
      job,
    );
    world.now = deadline;
    await world.run();
    expect(world.job.status).toBe(end);
    expect(world.now).toBeLessThanOrEqual(deadline + LAST_WORD_MILLISECONDS);
  });

  test('ends with the reason of its latest submit', async () => {
    const { world } = await runPast(unanswered('unavailable'));
    const error = 'No provider confirmed the job in time; last error: no';
    expect(world.job).toMatchObject({ status: 'expired', error });
  });

  test.each(['ambiguous', 'unavailable', 'rate_limited'] as const)(
    'is not sent a second time after the deadline: %s',
    async (kind) => {
      const { world, late } = await runPast(unanswered(kind));
      expect([world.job.status, late.length]).toEqual(['expired', 1]);
    },
  );

  test('and is found after the worker’s death is no longer sent when nothing is waited for', async () => {
    const left = aJob({ phase: 'submitting', submits: 1 });
    const ends = async (now: number) => {
      const world = new JobWorld({ resubmit: 'token' }, left);
      world.now = now;
      await world.run();
      return [world.job.status, world.submits.length];
    };
    expect(await ends(deadline + LAST_WORD_MILLISECONDS - 1)).toEqual(['completed', 1]);
    expect(await ends(deadline + LAST_WORD_MILLISECONDS)).toEqual(['expired', 0]);
  });

  test('is not sent after the deadline if its provider has certainly not taken it', async () => {
    const { world, late } = await runPast(async () => found, 'rate_limited');
    expect([world.job.status, late]).toEqual(['expired', []]);
  });
});

describe('a job whose submit is to be confirmed', () => {
  test.each([20, 50, 100])('is looked up by a machine whose clock is %i ms behind', async (behind) => {
    const world = new JobWorld({ resubmit: 'lookup', submit: lost, lookup: async () => found });
    await world.deliver(world.messages[0]!);
    world.skew = -behind;
    await world.run();
    expect(world.job).toMatchObject({ status: 'completed', upstream_id: 'up-found' });
  });

  const due_at = START.getTime() + 60_000;
  const submitting = { phase: 'submitting', submits: 1, due_at, seq: 1, link: 'sent', step: 'sent' } as const;

  test.each<[string, Partial<Job>, 'asked' | 'left alone']>([
    ['after a step that has sent its message', {}, 'asked'],
    ['after such a step, as long as the lease before would have lasted', { leased_until: due_at }, 'asked'],
    ['that another worker has begun', { step: 'begun', leased_until: due_at }, 'left alone'],
    ['that a worker of an older version has begun', { step: 'begun' }, 'left alone'],
    [
      'that one has begun after a newer one',
      { step: 'begun', leased_until: START.getTime() - 1 },
      'left alone',
    ],
    [
      'that has been swept while another worker has it',
      { step: 'begun', leased_until: due_at, due_at: START.getTime(), sweeps: 1 },
      'left alone',
    ],
    ['that has been swept since', { step: 'begun', leased_until: START.getTime(), sweeps: 1 }, 'asked'],
    ['that an older version has begun, and that has been swept since', { step: 'begun', sweeps: 1 }, 'asked'],
  ])('%s: %#', async (_, change, outcome) => {
    const job = aJob({ ...submitting, ...change });
    const world = new JobWorld({ resubmit: 'lookup', lookup: async () => found }, job);
    await advanceJob({ v: 1, job_id: job.id, seq: 1, link: 'sent' }, world.ports);
    expect(world.calls.includes('lookup')).toBe(outcome === 'asked');
  });
});

test('a submit is left to its worker for as long as its call may take', async () => {
  const CALL_MILLISECONDS = 20_000;
  const submit = async () => {
    // The answer is late, and meanwhile the message is delivered once more.
    world.now += CALL_MILLISECONDS;
    if (world.submits.length === 1) await advanceJob({ v: 1, job_id: world.job.id, seq: 0 }, world.ports);
    return found;
  };
  const world = new JobWorld({ submit });
  await world.run();
  expect([world.submits.length, world.job.status]).toEqual([1, 'completed']);
});

test('every adapter that is marked for look-ups has one', () => {
  for (const name of adapterNames) {
    const { manners, lookup } = providerOf(name);
    expect([name, lookup !== undefined]).toEqual([name, manners.resubmit === 'lookup']);
  }
});

test('the video that a job goes on with is told apart from references, and its shape is not asked for', () => {
  const [url, image] = ['vid_01jg000000000000000000000c', 'https://a.example/1.png'];
  const { request } = aJob();
  const asked = (input_references: typeof request.input_references) =>
    providerJob(aJob(), { ...request, input_references }, findOffer('sandbox/clip-1')!);
  const extended = asked([{ kind: 'extend', url, seconds: 4 }]);
  expect(extended).toMatchObject({ source: { continuation: 'extend', url }, inputReferences: [] });
  expect(extended).not.toHaveProperty('aspectRatio');
  const plain = asked([{ kind: 'image', url: image }]);
  expect(plain).toMatchObject({ inputReferences: [{ kind: 'image', url: image }], aspectRatio: '16:9' });
  expect(plain).not.toHaveProperty('source');
});
