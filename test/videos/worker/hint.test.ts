import { describe, expect, test } from '@jest/globals';
import type { ProviderState } from '../../../functions/videos/providers/provider.ts';
import { pollJob } from '../../../functions/videos/worker/advance-job.ts';
import { aJob, START } from '../jobs/job-fixture.ts';
import { JobWorld, type Script, succeeded } from './job-world.ts';

const running = async (): Promise<ProviderState> => ({ state: 'running' });
const polling = {
  phase: 'polling',
  status: 'in_progress',
  submits: 2,
  polls: 9,
  seq: 12,
  link: 'latest',
  due_at: START.getTime() + 60_000,
} as const;

/** A job that its provider has, with the next message of its chain a minute away. */
function worldOf(script: Script, change: object = {}) {
  const job = aJob({ ...polling, ...change });
  const world = new JobWorld(script, job);
  world.messages = [
    {
      queue: 'jobs',
      message: { v: 1, job_id: job.id, seq: 12, link: 'latest' },
      dueAt: polling.due_at,
      receives: 0,
    },
  ];
  const hint = (submit = 2) => pollJob({ v: 1, job_id: job.id, seq: 0, hint: submit }, world.ports);
  return { world, hint };
}

describe('a hint that the provider has finished', () => {
  test('has it asked now, and makes the message stale that would have asked later', async () => {
    const { world, hint } = worldOf({ poll: async () => succeeded() });
    await hint();
    expect(world.job.phase).toBe('made');
    await world.run();
    expect(world.job.status).toBe('completed');
    expect(world.now).toBeLessThanOrEqual(polling.due_at);
    expect(world.calls.filter((call) => call === 'poll')).toHaveLength(2);
  });

  test('that comes too early leaves one chain', async () => {
    const { world, hint } = worldOf({ poll: async (attempt) => (attempt < 4 ? running() : succeeded()) });
    await hint();
    expect([world.job.phase, world.job.seq]).toEqual(['polling', 13]);
    expect(world.messages).toHaveLength(2);
    await world.run();
    expect(world.job.status).toBe('completed');
    // One for the hint, three for the chain, one for the copy.
    expect(world.calls.filter((call) => call === 'poll')).toHaveLength(5);
  });

  test('asks again when another worker had asked just before the end, and committed first', async () => {
    const { world, hint } = worldOf({
      poll: async (attempt) => {
        if (attempt === 1)
          world.rows.set(world.job.id, { ...world.job, seq: 13, link: 'other', step: 'other' });
        return succeeded();
      },
    });
    await hint();
    expect([world.job.phase, world.job.seq]).toEqual(['made', 14]);
  });

  test.each([
    ['for an earlier submit', 1, {}],
    ['for a job that waits to be submitted again', 2, { phase: 'queued', status: 'pending' }],
    ['for a job that is being submitted', 2, { phase: 'submitting', status: 'pending' }],
    ['for a job that is made', 2, { phase: 'made' }],
    ['for a job that has ended', 2, { phase: 'settled', status: 'failed' }],
  ])('%s costs one read', async (_, submit, change) => {
    const { world, hint } = worldOf({ poll: running }, change);
    await hint(submit);
    expect(world.calls).toEqual(['find']);
  });
});

describe('a job whose provider calls', () => {
  /** A provider that takes ten minutes. */
  async function pollsOf(
    callsBack: boolean | undefined,
    onPoll: (world: JobWorld) => void = () => undefined,
  ) {
    const asked: (string | undefined)[] = [];
    const seconds: number[] = [];
    const world: JobWorld = new JobWorld({
      submit: async (_, { callbackUrl }) => {
        asked.push(callbackUrl);
        return { ref: {}, upstreamId: 'up-1' };
      },
      poll: async () => {
        seconds.push((world.now - START.getTime()) / 1000);
        onPoll(world);
        return world.now < START.getTime() + 600_000 ? running() : succeeded();
      },
    });
    if (callsBack !== undefined) {
      Object.assign(world.ports, {
        callbackUrl: async ({ id, submits }: { id: string; submits: number }) =>
          `https://us/${id}/${submits}`,
        figures: async () => () => ({ samples: 0, restsUntil: 0, ...(callsBack ? { callsBack } : {}) }),
      });
    }
    await world.run();
    expect(world.job.status).toBe('completed');
    return { asked, seconds, job: world.job };
  }

  test('is asked about once a minute, so that a lost call delays its end by a minute at most', async () => {
    const { asked, seconds, job } = await pollsOf(true);
    expect(asked).toEqual([`https://us/${job.id}/1`]);
    expect(job.calls_back).toBe('reliably');
    expect(seconds.slice(0, 4)).toEqual([2, 62, 122, 182]);
    expect(seconds.at(-1)).toBeLessThanOrEqual(663);
  });

  test('is written every few minutes, because its polls learn nothing', async () => {
    let writes = 0;
    const { seconds } = await pollsOf(true, ({ calls }) => {
      writes = calls.filter((call) => call === 'apply').length;
    });
    // The last of them is the copier's.
    expect(seconds).toHaveLength(12);
    // Two for the submit, two for the copy, and two of the polls in between.
    expect(writes).toBe(6);
  });

  test('is asked about as usual while nobody knows that it does', async () => {
    const { seconds, job } = await pollsOf(false);
    const usual = await pollsOf(undefined);
    expect(job.calls_back).toBe('perhaps');
    expect(usual.job).not.toHaveProperty('calls_back');
    expect(seconds).toEqual(usual.seconds);
  });

  test('is asked about as usual once it has called too early', async () => {
    const { seconds } = await pollsOf(true, (world) => {
      if (world.now === START.getTime() + 62_000)
        world.rows.set(world.job.id, { ...world.job, callbacks: 1 });
    });
    expect(seconds.slice(0, 6)).toEqual([2, 62, 122, 127, 132, 137]);
  });
});
