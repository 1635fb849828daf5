import { describe, expect, test } from '@jest/globals';
import { Conflict } from '../../../functions/http/errors.ts';
import { micros } from '../../../functions/money/micros.ts';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { ProviderError, type ProviderState } from '../../../functions/videos/providers/provider.ts';
import { type CancelPorts, cancelJob } from '../../../functions/videos/worker/cancel-job.ts';
import { aJob } from '../jobs/job-fixture.ts';
import { JobWorld, type Script, succeeded } from './job-world.ts';

const atProvider = (changes: Partial<Job> = {}) =>
  aJob({ phase: 'polling', status: 'in_progress', ref: { id: 'up' }, ...changes });
const running: ProviderState = { state: 'running' };
const cancelledThere: ProviderState = { state: 'cancelled', reason: 'as you wished' };
const answers = (cancel: Script['cancel'], ...polls: ProviderState[]): Script => ({
  cancel: cancel!,
  poll: async () => polls.shift() ?? cancelledThere,
});

function withoutCancel(world: JobWorld): CancelPorts {
  const provider: CancelPorts['provider'] = (model) => {
    const { cancel: _, ...rest } = world.ports.provider(model);
    return rest;
  };
  return { ...world.ports, provider };
}

describe('a request to cancel', () => {
  test('ends a job that no provider has at once, free, with one event', async () => {
    const world = new JobWorld();
    expect(await cancelJob(world.job, world.ports)).toMatchObject({
      status: 'cancelled',
      phase: 'settled',
      error: 'Cancelled by the caller',
    });
    await world.run();
    expect(world.job).not.toHaveProperty('cost_micros');
    expect([world.submits, world.eventMessages.length]).toEqual([[], 1]);
  });

  test('ends a job whose provider confirms it at once', async () => {
    const world = new JobWorld(
      answers(async () => 'cancelled'),
      atProvider(),
    );
    expect((await cancelJob(world.job, world.ports)).status).toBe('cancelled');
    expect(world.eventMessages).toHaveLength(1);
  });

  test('leaves the job unchanged until its provider confirms', async () => {
    const world = new JobWorld(
      answers(async () => 'requested', running, running),
      atProvider(),
    );
    const asked = await cancelJob(world.job, world.ports);
    expect(asked).toMatchObject({ status: 'in_progress', phase: 'polling' });
    expect(asked.cancel_requested_at).toBe(new Date(world.now).toISOString());
    expect(world.settlements).toBe(0);
    await world.run();
    expect(world.job).toMatchObject({ status: 'cancelled', error: 'Cancelled by the caller' });
  });

  test.each([
    [undefined, undefined, undefined],
    [0, 0, undefined],
    [7_000, 7_000, undefined],
    [40_001, 40_000, 40_001],
  ])('costs what its provider says (%p), at most what was held', async (costMicros, cost, upstream) => {
    const confirmed = {
      ...cancelledThere,
      ...(costMicros === undefined ? {} : { costMicros: micros(costMicros) }),
    };
    const world = new JobWorld(
      answers(async () => 'requested', running, confirmed),
      atProvider({ estimate_micros: micros(40_000) }),
    );
    await cancelJob(world.job, world.ports);
    await world.run();
    expect(world.job.status).toBe('cancelled');
    expect([world.job.cost_micros, world.job.upstream_cost_micros]).toEqual([cost, upstream]);
  });

  test('is sent again to a provider that could not be reached', async () => {
    let tries = 0;
    const cancel: Script['cancel'] = async () => {
      if (tries++ < 2) throw new ProviderError('unavailable', 'busy');
      return 'cancelled';
    };
    const world = new JobWorld(answers(cancel, running, running), atProvider());
    expect((await cancelJob(world.job, world.ports)).phase).toBe('polling');
    await world.run();
    expect([world.job.status, tries]).toEqual(['cancelled', 3]);
  });

  test('comes too late for a job that the provider has finished', async () => {
    const world = new JobWorld(
      answers(async () => 'requested', succeeded(), succeeded()),
      atProvider(),
    );
    await cancelJob(world.job, world.ports);
    await world.run();
    expect(world.job.status).toBe('completed');
  });

  test.each(['submitting', 'polling'] as const)(
    'is refused while a job is %s at a provider that cannot cancel, and the job continues',
    async (phase) => {
      const world = new JobWorld({}, atProvider({ phase }));
      const refusal = { metadata: { reason: 'cannot_cancel' } };
      await expect(cancelJob(world.job, withoutCancel(world))).rejects.toMatchObject(refusal);
      expect(world.job).not.toHaveProperty('cancel_requested_at');
      await world.run();
      expect(world.job.status).toBe('completed');
    },
  );

  test('during a submit is stored, and sent once the provider has the job', async () => {
    let asked: Promise<Job> | undefined;
    const world = new JobWorld({
      ...answers(async () => 'cancelled', running),
      submit: async (_, { id }) => {
        asked = cancelJob(world.job, world.ports);
        await asked;
        return { ref: { id }, upstreamId: 'up-1' };
      },
    });
    await world.run();
    expect((await asked)?.status).toBe('pending');
    expect(world.job).toMatchObject({ status: 'cancelled', upstream_id: 'up-1' });
    expect(world.calls.filter((call) => call === 'cancel')).toHaveLength(1);
  });

  test('waits for the next submit of a job that its provider may have, which shows what to cancel', async () => {
    const lost = Promise.withResolvers<Job>();
    const world = new JobWorld({
      ...answers(async () => 'cancelled', running),
      submit: async (attempt, { id }) => {
        if (attempt === 2) lost.resolve(cancelJob(world.rows.get(id)!, world.ports));
        if (attempt < 4) throw new ProviderError(attempt === 2 ? 'rate_limited' : 'ambiguous', 'no answer');
        return { ref: { id }, upstreamId: 'up-1' };
      },
    });
    await world.run();
    expect((await lost.promise).cancel_requested_at).toBeDefined();
    expect(world.job).toMatchObject({ status: 'cancelled', upstream_id: 'up-1' });
    expect(world.calls.filter((call) => call === 'cancel')).toHaveLength(1);
  });

  test.each([
    ['is kept', true],
    ['is refused if the provider cannot cancel', false],
  ])('after a submit without a response and before the next one, %s', async (_, takesBack) => {
    const world = new JobWorld(
      answers(async () => 'cancelled'),
      aJob({ submits: 1, may_be_taken: true }),
    );
    const asked = cancelJob(world.job, takesBack ? world.ports : withoutCancel(world));
    if (takesBack)
      expect(await asked).toMatchObject({ phase: 'queued', cancel_requested_at: expect.any(String) });
    else await expect(asked).rejects.toMatchObject({ metadata: { reason: 'cannot_cancel' } });
    expect(world.settlements).toBe(0);
  });

  test('ends a job whose submit the provider postponed', async () => {
    const world = new JobWorld({
      submit: async () => {
        await cancelJob(world.job, world.ports);
        throw new ProviderError('rate_limited', 'later');
      },
    });
    await world.run();
    expect([world.job.status, world.submits.length]).toEqual(['cancelled', 1]);
  });

  test('works on the job’s newest state', async () => {
    const world = new JobWorld({}, atProvider({ seq: 3, step: 'three' }));
    expect((await cancelJob(atProvider({ seq: 2, step: 'two' }), world.ports)).seq).toBe(3);
    expect(world.eventMessages).toHaveLength(1);
  });
});

test.each(['made', 'copying'] as const)(
  'a job that is %s is finished, and cannot be cancelled',
  async (phase) => {
    const world = new JobWorld({}, atProvider({ phase }));
    const refusal = { metadata: { reason: 'cannot_cancel' } };
    await expect(cancelJob(world.job, world.ports)).rejects.toMatchObject(refusal);
    expect(world.calls).toEqual([]);
  },
);

test('a job that has ended cannot be cancelled', async () => {
  const world = new JobWorld({}, aJob({ phase: 'settled', status: 'completed', step: 'last' }));
  await expect(cancelJob(world.job, world.ports)).rejects.toThrow(Conflict);
  await expect(cancelJob(atProvider(), world.ports)).rejects.toThrow('The video is completed');
  expect(world.eventMessages).toEqual([]);
});

test('a submit that is accepted after the job has ended is cancelled with its new reference', async () => {
  const world = new JobWorld({
    submit: async (_, { id }) => {
      world.rows.set(world.job.id, { ...world.job, phase: 'settled', status: 'expired', step: 'elsewhere' });
      return { ref: { id }, upstreamId: 'up-1' };
    },
  });
  await world.run();
  expect(world.calls).toContain('cancel');
});
