import { describe, expect, test } from '@jest/globals';
import type { ProviderJob, ProviderState } from '../../../functions/videos/providers/provider.ts';
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

test('each submit gets an address of its own', async () => {
  const asked: (string | undefined)[] = [];
  const submit = async (_: number, { callbackUrl }: ProviderJob) => {
    asked.push(callbackUrl);
    return { ref: {}, upstreamId: 'up-1' };
  };
  const world = new JobWorld({ submit, poll: async () => succeeded() });
  Object.assign(world.ports, {
    callbackUrl: async ({ id, submits }: { id: string; submits: number }) => `https://us/${id}/${submits}`,
  });
  await world.run();
  expect(asked).toEqual([`https://us/${world.job.id}/1`]);
});
