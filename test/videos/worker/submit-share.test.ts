import { describe, expect, test } from '@jest/globals';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { advanceJob } from '../../../functions/videos/worker/advance-job.ts';
import { aJob, START } from '../jobs/job-fixture.ts';
import { JobWorld, type Script } from './job-world.ts';

/** A world with one message, whose share has room or not. */
function worldWith(change: Partial<Job>, hasRoom: boolean, script: Script = {}) {
  const world = new JobWorld(script, aJob(change));
  const calls: unknown[] = [];
  Object.assign(world.ports, {
    shares: {
      enter: async (...asked: unknown[]) => {
        calls.push(['enter', ...asked]);
        return hasRoom;
      },
      leave: async (...left: unknown[]) => void calls.push(['leave', ...left]),
    },
    submitters: 50,
    random: () => 0,
  });
  world.messages = [];
  const take = () => advanceJob({ v: 1, job_id: world.job.id, seq: 0 }, world.ports);
  return { world, calls, take };
}

const MINE = [{ id: 'submits ws-1', size: 20 }];
const ME = { jobId: 'vid_01jg000000000000000000000a', lapsesAt: START.getTime() + 60_000 };

describe('the share of a workspace', () => {
  test.each(['queued', 'submitting'] as const)(
    'is occupied while its job that is %s is worked on',
    async (phase) => {
      const { calls, take } = worldWith({ phase, due_at: 0 }, true);
      await take();
      expect(calls).toEqual([
        ['enter', MINE, ME, START],
        ['leave', MINE, ME],
      ]);
    },
  );

  test('is left although the step fails', async () => {
    const { world, calls, take } = worldWith({}, true);
    world.refuse = (name) => (name === 'apply' ? new Error('no answer') : undefined);
    await expect(take()).rejects.toThrow('no answer');
    expect(calls).toHaveLength(2);
  });

  test.each([
    ['polls', { phase: 'polling', ref: { id: 'up' } }],
    ['jobs at their deadline, which end or are asked about', { deadline_at: START.getTime() }],
  ] as const)('does not count %s', async (_, change) => {
    const { calls, take } = worldWith(change, false);
    await take();
    expect(calls).toEqual([]);
  });

  test.each([
    [0, 1],
    [20, 5],
    [600, 20],
  ])('without room lets a job that has waited %i s wait for %i s more', async (waited, seconds) => {
    const created_at = new Date(START.getTime() - waited * 1000).toISOString();
    const { world, take } = worldWith({ created_at }, false);
    await take();
    expect(world.submits).toEqual([]);
    expect(world.messages).toMatchObject([{ queue: 'submits', dueAt: START.getTime() + seconds * 1000 }]);
    expect(world.job).toMatchObject({ phase: 'queued', waiting_for: { reason: 'provider_busy' } });
  });
});
