import { describe, expect, test } from '@jest/globals';
import { Conflict } from '../../../functions/http/errors.ts';
import { micros } from '../../../functions/money/micros.ts';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { ProviderError, type ProviderState } from '../../../functions/videos/providers/provider.ts';
import { type CancelPorts, cancelJob } from '../../../functions/videos/worker/cancel-job.ts';
import { aJob } from '../jobs/job-fixture.ts';
import { Crash, JobWorld, type Script, succeeded } from './job-world.ts';

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
    return { ...rest, manners: { resubmit: 'token' } };
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

  test('is written before the provider is asked', async () => {
    const world = new JobWorld(
      answers(async () => 'cancelled'),
      atProvider(),
    );
    await cancelJob(world.job, world.ports);
    expect(world.calls.slice(0, 2)).toEqual(['request cancel', 'cancel']);
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

/** A provider that cancels once, and refuses whoever asks again. */
function cancelsOnce(isReadable: boolean): Required<Pick<Script, 'cancel' | 'poll' | 'cancels'>> {
  let isCancelled = false;
  return {
    cancels: { staysReadable: isReadable },
    cancel: async () => {
      if (isCancelled) return 'not_possible';
      isCancelled = true;
      return 'cancelled';
    },
    poll: async () => {
      if (isCancelled && !isReadable) throw gone();
      return isCancelled ? cancelledThere : running;
    },
  };
}

const gone = () => new ProviderError('refused', 'no such job', { isGone: true });

/** The provider does what it is asked for, and its answer is lost. */
const unheard =
  (ask: NonNullable<Script['cancel']>): Script['cancel'] =>
  async (...asked) => {
    await ask(...asked);
    throw new ProviderError('ambiguous', 'no answer');
  };

describe.each([
  ['can still be read', true],
  ['cannot be read any more', false],
])(
  'at a provider that cancels once, and whose cancelled jobs %s, a cancelled job ends so',
  (_, isReadable) => {
    async function expectCancelled(world: JobWorld): Promise<void> {
      const begun = world.now;
      await world.run();
      expect(world.job).toMatchObject({ status: 'cancelled', error: 'Cancelled by the caller' });
      expect(world.now - begun).toBeLessThan(7 * 60_000);
    }

    test('although the function died before it could say so, and whoever asks again is told the same', async () => {
      const world = new JobWorld(cancelsOnce(isReadable), atProvider());
      world.crash = () => (world.calls.at(-1) === 'settle' ? 'before' : undefined);
      await expect(cancelJob(world.job, world.ports)).rejects.toThrow(Crash);
      world.crash = () => undefined;
      for (const _ of [1, 2]) {
        expect(await cancelJob(world.job, world.ports)).toMatchObject({
          status: 'in_progress',
          cancel_requested_at: expect.any(String),
        });
      }
      await expectCancelled(world);
      expect((await cancelJob(world.job, world.ports)).status).toBe('cancelled');
    });

    test('although its answer was lost', async () => {
      const once = cancelsOnce(isReadable);
      const world = new JobWorld({ ...once, cancel: unheard(once.cancel)! }, atProvider());
      expect((await cancelJob(world.job, world.ports)).status).toBe('in_progress');
      world.script.cancel = once.cancel;
      await expectCancelled(world);
    });

    test('at once, although a poll is committed while it is asked', async () => {
      const once = cancelsOnce(isReadable);
      const cancel: Script['cancel'] = async (...asked) => {
        world.script.cancel = once.cancel;
        world.script.poll = async () => running;
        await world.deliver(world.messages[0]!);
        world.script.poll = once.poll;
        return once.cancel(...asked);
      };
      const world = new JobWorld({ ...once, cancel }, atProvider());
      const told = await cancelJob(world.job, world.ports);
      expect(['cancelled', 'in_progress']).toContain(told.status);
      await expectCancelled(world);
    });

    test('although a poll that began before the wish is the first to hear of it', async () => {
      const once = cancelsOnce(isReadable);
      const told: Job[] = [];
      const poll: Script['poll'] = async (...asked) => {
        if (told.length === 0) {
          told.push(world.job);
          world.script.cancel = unheard(once.cancel)!;
          told.push(await cancelJob(world.job, world.ports));
          world.script.cancel = once.cancel;
        }
        return once.poll(...asked);
      };
      const world = new JobWorld({ ...once, poll }, atProvider());
      await expectCancelled(world);
      expect(told.at(-1)).toMatchObject({ cancel_requested_at: expect.any(String) });
    });

    test('although it was asked for during the submit', async () => {
      const world = new JobWorld({
        ...cancelsOnce(isReadable),
        submit: async (_, { id }) => {
          await cancelJob(world.job, world.ports);
          return { ref: { id }, upstreamId: 'up-1' };
        },
      });
      await expectCancelled(world);
    });
  },
);

test('a job that its provider does not list yet is cancelled there once it is listed', async () => {
  const polls = [gone, undefined];
  const world = new JobWorld(
    {
      cancels: { staysReadable: false },
      poll: async () => {
        const error = polls.shift()?.();
        if (error !== undefined) throw error;
        return running;
      },
      cancel: async () => 'cancelled',
    },
    atProvider({ cancel_requested_at: '2026-01-01T00:00:00.000Z' }),
  );
  await world.run();
  expect(world.job.status).toBe('cancelled');
  expect(world.calls.filter((call) => call === 'cancel')).toHaveLength(1);
});

test('a job that its provider does not know, and that nobody wants to cancel, is asked about until its deadline', async () => {
  const poll = () => Promise.reject(gone());
  const world = new JobWorld({ cancels: { staysReadable: false }, poll }, atProvider());
  await world.run();
  expect(world.job.status).toBe('expired');
});

describe('a provider whose cancel deletes what has finished', () => {
  const cancels = { deletesFinished: true, staysReadable: false };

  test('is not asked to, and the job completes', async () => {
    const world = new JobWorld({ cancels }, atProvider());
    const refusal = { metadata: { reason: 'cannot_cancel' } };
    for (const _ of [1, 2]) await expect(cancelJob(world.job, world.ports)).rejects.toMatchObject(refusal);
    await world.run();
    expect(world.job).toMatchObject({ status: 'completed' });
    expect(world.job).not.toHaveProperty('cancel_requested_at');
    expect(world.calls).not.toContain('cancel');
  });

  test('is asked how far the job is immediately before it is asked to cancel, and by a worker with the poll itself', async () => {
    const script = { cancels, ...answers(async () => 'cancelled', running, running, running) };
    const world = new JobWorld(script, atProvider());
    await cancelJob(world.job, world.ports);
    expect(world.calls.slice(0, 4)).toEqual(['poll', 'request cancel', 'poll', 'cancel']);

    const wished = atProvider({ cancel_requested_at: '2026-01-01T00:00:00.000Z' });
    const polled = new JobWorld({ cancels, poll: async () => running }, wished);
    await polled.run();
    expect(polled.calls.filter((call) => call === 'poll' || call === 'cancel')).toEqual(['poll', 'cancel']);
  });

  test('is asked later if it does not say how far the job is', async () => {
    let polls = 0;
    const poll: Script['poll'] = async () => {
      if (polls++ === 0) throw new ProviderError('unavailable', 'busy');
      return running;
    };
    const world = new JobWorld({ cancels, poll }, atProvider());
    expect(await cancelJob(world.job, world.ports)).toMatchObject({
      cancel_requested_at: expect.any(String),
    });
    expect(world.calls).not.toContain('cancel');
    await world.run();
    expect(world.job.status).toBe('cancelled');
  });

  test('may finish a job and lose its video in between: it ends as cancelled, even if a poll has heard of the video', async () => {
    let isDeleted = false;
    let isDone = false;
    const world = new JobWorld(
      {
        cancels,
        poll: async () => {
          if (isDeleted) throw gone();
          return isDone ? succeeded() : running;
        },
        cancel: async () => {
          if (isDeleted) return 'not_possible';
          isDone = true;
          await world.deliver(world.messages[0]!);
          isDeleted = true;
          return 'cancelled';
        },
      },
      atProvider(),
    );
    expect(await cancelJob(world.job, world.ports)).toMatchObject({ phase: 'made', status: 'in_progress' });
    await world.run();
    expect(world.job.status).toBe('cancelled');
  });
});

describe('one 404 after the wish to cancel', () => {
  const wished = atProvider({ cancel_requested_at: '2026-01-01T00:00:00.000Z' });
  const cancels = { deletesFinished: true, staysReadable: false };

  /** Each poll gets the next of these answers, and the last for ever. */
  const told = (...polls: (() => ProviderState)[]): NonNullable<Script['poll']> => {
    return async () => (polls.length > 1 ? polls.shift()! : polls[0]!)();
  };
  const missing = () => {
    throw gone();
  };

  test('for a result that waits to be copied sends no request that would delete it, and it is copied', async () => {
    const world = new JobWorld({ cancels, poll: told(succeeded, missing, succeeded) }, wished);
    await world.run();
    expect(world.job.status).toBe('completed');
    expect(world.calls).not.toContain('cancel');
  });

  test('and one for its result, with an answer between them, are no proof', async () => {
    const cancel: Script['cancel'] = async () => 'not_possible';
    const poll = told(missing, succeeded, missing, succeeded);
    const world = new JobWorld({ cancels, cancel, poll }, wished);
    await world.run();
    expect(world.job.status).toBe('completed');
  });

  test('is no proof, and the job goes on without a request, because its video may be finished', async () => {
    const polls = [missing, succeeded, succeeded];
    const world = new JobWorld({ cancels, poll: told(...polls) }, wished);
    await world.run();
    expect(world.job.status).toBe('completed');
    expect(world.calls).not.toContain('cancel');
  });

  test('and another one 15 seconds later end the job, and stop what the provider may only not list', async () => {
    const cancel: Script['cancel'] = async () => 'not_possible';
    const world = new JobWorld({ cancels, cancel, poll: told(missing) }, wished);
    const begun = world.now;
    await world.run();
    expect([world.job.status, world.now - begun]).toEqual(['cancelled', 15_000]);
    expect(world.calls.slice(-5)).toEqual(['poll', 'find request', 'settle', 'send event', 'cancel']);
  });
});

describe('a provider that cancels only what it has not begun', () => {
  const cancels = { until: 'begun' } as const;

  test.each([
    ['queued', 'cancelled'],
    ['running', 'refused'],
    ['cancelled', 'wished'],
  ] as const)('a job that is %s there is %s', async (state, outcome) => {
    const told: ProviderState = state === 'cancelled' ? cancelledThere : { state };
    const world = new JobWorld({ cancels, poll: async () => told }, atProvider());
    const asked = cancelJob(world.job, world.ports);
    if (outcome === 'refused')
      await expect(asked).rejects.toMatchObject({ metadata: { reason: 'cannot_cancel' } });
    else expect((await asked).status).toBe(outcome === 'cancelled' ? 'cancelled' : 'in_progress');
    expect(world.calls.includes('cancel')).toBe(outcome === 'cancelled');
    expect(world.job.cancel_requested_at !== undefined).toBe(outcome !== 'refused');
  });

  test('leaves a job to its end whose cancellation was asked for during the submit', async () => {
    const polls = [running, running];
    const poll: Script['poll'] = async () => polls.shift() ?? succeeded();
    const wished = { cancel_requested_at: '2026-01-01T00:00:00.000Z' };
    const world = new JobWorld({ cancels, poll }, atProvider(wished));
    await world.run();
    expect(world.job.status).toBe('completed');
    expect(world.calls).not.toContain('cancel');
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

test.each(['made', 'copying'] as const)(
  'the wish to cancel a job that was %s later is answered as before',
  async (phase) => {
    const wished = { phase, cancel_requested_at: '2026-01-01T00:00:00.000Z' };
    const world = new JobWorld({}, atProvider(wished));
    expect(await cancelJob(world.job, world.ports)).toEqual(world.job);
    expect(world.calls).toEqual([]);
  },
);

test('a job that was cancelled is answered as it is', async () => {
  const world = new JobWorld({}, aJob({ phase: 'settled', status: 'cancelled', step: 'last' }));
  expect(await cancelJob(world.job, world.ports)).toEqual(world.job);
  expect(world.calls).toEqual([]);
});

test('a job that has ended cannot be cancelled', async () => {
  const world = new JobWorld({}, aJob({ phase: 'settled', status: 'completed', step: 'last' }));
  await expect(cancelJob(world.job, world.ports)).rejects.toThrow(Conflict);
  await expect(cancelJob(atProvider(), world.ports)).rejects.toThrow('The job has already ended (completed)');
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
