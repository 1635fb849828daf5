import { describe, expect, test } from '@jest/globals';
import type { JobWithRequest } from '../../../functions/videos/jobs/job.ts';
import { GRACE_MILLISECONDS, sweepJob } from '../../../functions/videos/jobs/sweep-job.ts';
import { JobInvariants } from '../worker/job-invariants.ts';
import { JobWorld } from '../worker/job-world.ts';
import { SimulatedProvider } from '../worker/simulated-provider.ts';
import { aJob, START } from './job-fixture.ts';

const MINUTE = 60_000;

/** Jobs that have lost their messages in different phases. Their providers have accepted all of them. */
function strandedJobs(): JobWithRequest[] {
  const ref = (id: string) => ({ ref: { id }, upstream_id: `up-${id}` });
  return Array.from({ length: 40 }, (_, i) => {
    const id = `vid_${String(i).padStart(26, '0')}`;
    const due_at = START.getTime() + i * 1000;
    if (i % 4 === 0) return aJob({ id });
    if (i % 4 === 1) return aJob({ id, phase: 'submitting', submits: 1, due_at: due_at + MINUTE });
    return aJob({ id, phase: 'polling', status: 'in_progress', seq: i, due_at, ...ref(id) });
  });
}

describe('the sweeper', () => {
  test('rescues every job whose messages were all deleted, and each ends once', async () => {
    const provider = new SimulatedProvider({
      resubmit: 'lookup',
      outcome: () => 'succeeded',
      seconds: 90,
      fault: () => 'none',
      retryAfterSeconds: 1,
      now: () => world.now,
    });
    const jobs = strandedJobs();
    for (const { id, ref } of jobs) if (ref !== undefined) provider.works.set(id, [START.getTime()]);
    const world = new JobWorld(provider.script(), ...jobs);
    const invariants = new JobInvariants(world, provider);
    // Messages that a worker sends meanwhile are lost too.
    for (let minute = 0; minute < 30; minute++) {
      world.messages = [];
      await world.sweep();
      for (const message of [...world.messages]) await world.deliver(message);
      invariants.check();
      world.now += MINUTE;
    }
    invariants.checkEnd();
    expect(new Set(world.outcomes)).toEqual(new Set(['completed']));
    expect(world.eventMessages).toHaveLength(jobs.length);
  });

  test.each([
    [GRACE_MILLISECONDS, 0],
    [GRACE_MILLISECONDS + 1, 1],
  ])('sends, for a job that was due %i ms ago, %i messages', async (late, messages) => {
    const world = new JobWorld({}, aJob({ phase: 'polling', seq: 4, due_at: START.getTime() - late }));
    world.messages = [];
    await world.sweep();
    expect(world.messages.map(({ message }) => message)).toEqual(
      Array.from({ length: messages }, () => ({ v: 1, job_id: world.job.id, seq: 4, link: '' })),
    );
  });

  test('ignores a job that only the late index still shows as due', async () => {
    const world = new JobWorld({}, aJob({ phase: 'polling', seq: 4, due_at: START.getTime() + MINUTE }));
    world.messages = [];
    await sweepJob({ id: world.job.id, due_at: START.getTime() - MINUTE }, world.ports);
    expect(world.messages).toEqual([]);
    expect(world.calls).toEqual(['find overdue']);
  });

  test('ignores a job that has ended', async () => {
    const world = new JobWorld({}, aJob({ phase: 'settled', status: 'failed' }));
    world.messages = [];
    world.now += 60 * MINUTE;
    await world.sweep();
    expect(world.messages).toEqual([]);
  });
});
