import { describe, expect, test } from '@jest/globals';
import { Conflict } from '../../../functions/http/errors.ts';
import { ProviderError } from '../../../functions/videos/providers/provider.ts';
import { type CancelPorts, cancelJob } from '../../../functions/videos/worker/cancel-job.ts';
import { aJob } from '../jobs/job-fixture.ts';
import { JobWorld } from './job-world.ts';

type Cancel = () => Promise<'cancelled' | 'requested' | 'not_possible'>;

function portsOf(world: JobWorld, cancel?: Cancel): CancelPorts {
  const provider: CancelPorts['provider'] = (model) => ({
    ...world.ports.provider(model),
    ...(cancel === undefined ? {} : { cancel }),
  });
  return { ...world.ports, provider };
}

describe('a cancelled job', () => {
  test('is cancelled here and upstream, costs nothing and is told of once', async () => {
    const world = new JobWorld({}, aJob({ phase: 'polling', status: 'in_progress', ref: { id: 'up' } }));
    let asked = 0;
    const cancelled = await cancelJob(
      world.job,
      portsOf(world, async () => {
        asked++;
        return 'cancelled';
      }),
    );
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      phase: 'settled',
      error: 'Cancelled by the caller',
    });
    expect(cancelled).not.toHaveProperty('cost_micros');
    expect([asked, world.eventMessages.length]).toEqual([1, 1]);
  });

  test('stays cancelled when its messages still come, or its provider will not stop', async () => {
    const world = new JobWorld({}, aJob({ phase: 'polling', status: 'in_progress', ref: { id: 'up' } }));
    const stubborn = async () => Promise.reject(new ProviderError('unavailable', 'busy'));
    await cancelJob(world.job, portsOf(world, stubborn));
    await world.run();
    expect(world.job.status).toBe('cancelled');
    expect(world.submits).toEqual([]);
  });

  test('was moved by a worker in between, and is cancelled as it now is', async () => {
    const world = new JobWorld({}, aJob({ phase: 'polling', status: 'in_progress', seq: 3 }));
    const stale = aJob({ phase: 'polling', status: 'in_progress', seq: 2 });
    expect((await cancelJob(stale, portsOf(world))).seq).toBe(3);
    expect(world.eventMessages).toHaveLength(1);
  });
});

test('a job that has ended cannot be cancelled', async () => {
  const world = new JobWorld({}, aJob({ phase: 'settled', status: 'completed' }));
  await expect(cancelJob(world.job, portsOf(world))).rejects.toThrow(Conflict);
  const stale = aJob({ phase: 'polling' });
  await expect(cancelJob(stale, portsOf(world))).rejects.toThrow('The video is completed');
  expect(world.eventMessages).toEqual([]);
});
