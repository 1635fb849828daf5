import { describe, expect, test } from '@jest/globals';
import { ProviderError } from '../../../functions/videos/providers/provider.ts';
import { advanceJob } from '../../../functions/videos/worker/advance-job.ts';
import {
  type ProviderCall,
  ProviderGate,
  type ProviderGatePorts,
} from '../../../functions/videos/worker/provider-gate.ts';
import { SlowPolls } from '../../../functions/videos/worker/slow-polls.ts';
import { aJob, START } from '../jobs/job-fixture.ts';
import { JobWorld } from './job-world.ts';

const SECOND = 1_000;

class Batches {
  now = 1_000_000;
  readonly gate: ProviderGate;

  constructor(ports: Pick<ProviderGatePorts, 'slowPolls'> = { slowPolls: new SlowPolls() }) {
    const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
    this.gate = new ProviderGate({ now: () => new Date(this.now), log: silent, ...ports });
  }

  /** The seconds that a job has to wait, or 0 after a call that took so long. */
  async call(
    provider: string,
    seconds: number,
    { fails = false, ...change }: Partial<ProviderCall> & { fails?: boolean } = {},
  ): Promise<number> {
    const call = {
      kind: 'poll' as const,
      provider,
      workspaceId: 'ws-1',
      offer: 'fox-1',
      jobId: 'vid_1',
      ...change,
    };
    const { seconds: wait } = this.gate.enter(call);
    if (wait > 0) return wait;
    const work = async () => {
      this.now += seconds * SECOND;
      if (fails) throw new ProviderError('ambiguous', 'no answer in time');
    };
    await this.gate.watch(call, work).catch(() => undefined);
    this.gate.leave(call);
    return 0;
  }
}

describe('a provider with slow polls', () => {
  test.each([false, true])('leaves five sixths of the time to others (fails: %s)', async (fails) => {
    const batches = new Batches();
    await batches.call('quick', 0.6);
    await batches.call('slow', 20, { fails });
    expect(await batches.call('slow', 20)).toBe(100);
    expect(await batches.call('quick', 0.6)).toBe(0);
    batches.now += 99.4 * SECOND;
    expect(await batches.call('slow', 0.6)).toBe(0);
    expect(await batches.call('slow', 0.6)).toBe(0);
  });

  test('is polled at once where no other provider has jobs, or none has had any for a minute', async () => {
    const batches = new Batches();
    await batches.call('slow', 20);
    expect(await batches.call('slow', 20)).toBe(0);
    await batches.call('quick', 0.6);
    expect(await batches.call('slow', 20)).toBeCloseTo(99.4);
    batches.now += 60 * SECOND;
    expect(await batches.call('slow', 20)).toBe(0);
  });

  test('waits for no other slow provider', async () => {
    const batches = new Batches();
    await batches.call('slow', 20);
    await batches.call('slower', 30);
    expect([await batches.call('slow', 20), await batches.call('slower', 30)]).toEqual([0, 0]);
  });

  test('to one workspace makes only that one wait, until another one has a slow poll too', async () => {
    const batches = new Batches();
    await batches.call('quick', 0.6);
    await batches.call('slow', 20);
    const waits = () =>
      Promise.all(['ws-1', 'ws-2', 'ws-3'].map((workspaceId) => batches.call('slow', 0, { workspaceId })));
    expect(await waits()).toEqual([100, 0, 0]);
    await batches.call('slow', 20, { workspaceId: 'ws-2' });
    expect(await waits()).toEqual([100, 100, 100]);
  });

  test('is polled again by the workspaces that get quick answers', async () => {
    const batches = new Batches();
    await batches.call('quick', 0.6);
    await batches.call('slow', 20);
    await batches.call('slow', 20, { workspaceId: 'ws-2' });
    batches.now += 100 * SECOND;
    await batches.call('quick', 0.6);
    await batches.call('slow', 1, { workspaceId: 'ws-2' });
    await batches.call('slow', 20);
    expect(await batches.call('slow', 1, { workspaceId: 'ws-2' })).toBe(0);
    expect(await batches.call('slow', 20)).toBeGreaterThan(90);
  });

  test('no longer makes others wait for the polls of one workspace, once those of a second one are long past', async () => {
    const batches = new Batches();
    await batches.call('quick', 0.6);
    await batches.call('slow', 20, { workspaceId: 'ws-2' });
    batches.now += 181 * SECOND;
    await batches.call('quick', 0.6);
    await batches.call('slow', 20);
    expect(await batches.call('slow', 0, { workspaceId: 'ws-3' })).toBe(0);
    expect(await batches.call('slow', 20)).toBeCloseTo(100);
  });

  test.each([
    ['forwards during a poll', async (batches: Batches) => void (await batches.call('slow', 3_600))],
    [
      'back after one',
      async (batches: Batches) => {
        await batches.call('slow', 20);
        batches.now -= 600 * SECOND;
      },
    ],
  ])('waits no longer than after the longest poll if the clock is set %s', async (_, happens) => {
    const batches = new Batches();
    await batches.call('quick', 0.6);
    await happens(batches);
    await batches.call('quick', 0.6);
    expect(await batches.call('slow', 20)).toBeLessThanOrEqual(100);
  });

  test('gets submits at once', async () => {
    const batches = new Batches();
    await batches.call('quick', 0.6);
    await batches.call('slow', 20);
    expect(await batches.call('slow', 20, { kind: 'submit' })).toBe(0);
  });

  test('need not wait for slow submits, which each job has once', async () => {
    const batches = new Batches();
    await batches.call('quick', 0.6);
    await batches.call('slow', 20, { kind: 'submit' });
    expect(await batches.call('slow', 20)).toBe(0);
  });

  test('need not wait where each job is worked on alone, as by a copier', async () => {
    const batches = new Batches({});
    await batches.call('quick', 0.6);
    await batches.call('slow', 20);
    expect(await batches.call('slow', 20)).toBe(0);
  });
});

test('the polls that wait for others come back together, when the provider’s turn comes', async () => {
  const batches = new Batches();
  await batches.call('quick', 0.6);
  await batches.call('slow', 20);
  const jobs = ['vid_1', 'vid_2'].map((id) => aJob({ id, provider: 'slow', phase: 'polling' }));
  const world = new JobWorld({}, ...jobs);
  world.messages = [];
  const draws = [0.1, 0.9];
  Object.assign(world.ports, { gate: batches.gate, random: () => draws.pop() ?? 0.5 });
  for (const { id } of jobs) await advanceJob({ v: 1, job_id: id, seq: 0 }, world.ports);
  expect(world.messages.map(({ dueAt }) => dueAt - START.getTime())).toEqual([100 * SECOND, 100 * SECOND]);
});

test('a job is asked about after its deadline, and waits for nobody: its video may be paid for', async () => {
  const batches = new Batches();
  await batches.call('quick', 0.6);
  await batches.call('slow', 20);
  const world = new JobWorld({}, aJob({ provider: 'slow', phase: 'polling', deadline_at: START.getTime() }));
  Object.assign(world.ports, { gate: batches.gate });
  await advanceJob({ v: 1, job_id: world.job.id, seq: 0 }, world.ports);
  expect(world.calls).toContain('poll');
});

test('a provider that takes four seconds at most is polled whenever a job wants it', async () => {
  const batches = new Batches();
  await batches.call('quick', 0.6);
  await batches.call('usual', 4);
  expect(await batches.call('usual', 4)).toBe(0);
});
