import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { afterDiscount, type Micros, micros } from '../../../functions/money/micros.ts';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { failures } from '../../../functions/videos/jobs/job-failure.ts';
import { IllegalTransition, transition } from '../../../functions/videos/jobs/job-machine.ts';
import type { JobEvent } from '../../../functions/videos/jobs/lifecycle.ts';
import { aJob, START } from './job-fixture.ts';

const EVENTS: JobEvent[] = [
  { type: 'submit_begun', leaseUntil: START.getTime() + 60_000 },
  { type: 'accepted', ref: { id: 1 }, upstreamId: 'up-1', generationId: 'gen_1', delaySeconds: 2 },
  { type: 'submit_deferred', reason: 'down', mayBeTaken: false, delaySeconds: 3 },
  { type: 'moved', reason: 'busy', isForGood: false, delaySeconds: 0 },
  { type: 'put_off', delaySeconds: 4 },
  { type: 'progressed', progress: 40, delaySeconds: 5 },
  { type: 'made', delaySeconds: 0 },
  { type: 'copy_begun', leaseUntil: START.getTime() + 960_000 },
  { type: 'copy_failed', reason: 'gone', isUnusable: true, delaySeconds: 5 },
  {
    type: 'completed',
    outputs: [{ key: 'k', size_bytes: 1, sha256: 'x' }],
    keptDays: 7,
    costMicros: micros(40_000),
  },
  { type: 'failed', reason: 'no' },
  { type: 'expired', reason: 'late' },
  { type: 'cancelled', reason: 'stop' },
];
const PHASES: Job['phase'][] = ['queued', 'submitting', 'polling', 'made', 'copying', 'settled'];

const FROM_ANY = {
  queued: 'settled',
  submitting: 'settled',
  polling: 'settled',
  made: 'settled',
  copying: 'settled',
} as const;

/** The phase that each event leads to. Transitions that are not listed are impossible. */
const LEADS_TO: Record<JobEvent['type'], Partial<Record<Job['phase'], Job['phase']>>> = {
  submit_begun: { queued: 'submitting', submitting: 'submitting' },
  accepted: { submitting: 'polling' },
  submit_deferred: { submitting: 'queued' },
  moved: { queued: 'queued', submitting: 'queued' },
  put_off: {
    queued: 'queued',
    submitting: 'submitting',
    polling: 'polling',
    made: 'made',
    copying: 'made',
  },
  progressed: { polling: 'polling' },
  made: { polling: 'made' },
  copy_begun: { made: 'copying', copying: 'copying' },
  copy_failed: { copying: 'made' },
  completed: { copying: 'settled' },
  failed: FROM_ANY,
  expired: FROM_ANY,
  cancelled: FROM_ANY,
};

const event = (type: JobEvent['type']) => EVENTS.find((each) => each.type === type)!;

describe('a step', () => {
  const started = aJob({ phase: 'polling' });
  test.each<[string, JobEvent, boolean]>([
    ['whose message is due at once', { type: 'made', delaySeconds: 0 }, true],
    ['whose message is due in a second', { type: 'made', delaySeconds: 1 }, false],
  ])('%s: is committed first if a worker could otherwise read the old state', (_, event, first) => {
    expect(transition(started, event, START, 'step').commitsFirst).toBe(first);
  });

  test('that notes what a provider has accepted is committed first, whenever its message is due', () => {
    expect(transition(aJob({ phase: 'submitting' }), event('accepted'), START, 'step').commitsFirst).toBe(
      true,
    );
  });
});

describe('the reason for which a job waits', () => {
  const later: JobEvent = { type: 'put_off', delaySeconds: 4, waitingFor: 'provider_resting' };

  test('is written with its end', () => {
    const { changes } = transition(aJob(), later, START, 'step');
    expect(changes.waiting_for).toEqual({ reason: 'provider_resting', until: '2026-01-01T00:00:04.000Z' });
  });

  test('does not replace why the latest submit failed', () => {
    const failed = aJob({ phase: 'submitting' });
    const { changes } = transition(failed, event('submit_deferred'), START, 'step');
    expect(changes.submit_error).toBe('down');
    expect(transition(aJob(), later, START, 'step').changes).not.toHaveProperty('submit_error');
  });

  test('ends with the next step, which writes nothing else about it', () => {
    const waiting = aJob({ waiting_for: { reason: 'rate_limit', until: START.toISOString() } });
    expect(transition(waiting, event('submit_begun'), START, 'step').changes.waiting_for).toBeNull();
    expect(transition(aJob(), event('submit_begun'), START, 'step').changes).not.toHaveProperty(
      'waiting_for',
    );
  });
});

describe('the kind of a failure', () => {
  const polling = aJob({ phase: 'polling' });
  test.each<[JobEvent, string, boolean]>([
    [{ type: 'failed', reason: 'no' }, 'provider', true],
    [{ type: 'failed', reason: 'no', moderated: true }, 'moderation', false],
    [{ type: 'failed', reason: 'no', failure: failures.input }, 'input', false],
    [{ type: 'failed', reason: 'no', failure: failures.internal }, 'internal', true],
    [{ type: 'expired', reason: 'late' }, 'timeout', true],
    [{ type: 'cancelled', reason: 'stop' }, 'cancelled', false],
  ])('of %j is %s', (end, type, retryable) => {
    expect(transition(polling, end, START, 'step').changes.error_kind).toEqual({ type, retryable });
  });
});

describe('every event in every phase', () => {
  const pairs = PHASES.flatMap((phase) => EVENTS.map((event) => [phase, event.type, event] as const));

  test.each(pairs)('%s, %s', (phase, type, event) => {
    const job = aJob({ phase });
    const expected = LEADS_TO[type][phase];
    if (expected === undefined) {
      expect(() => transition(job, event, START, 'step')).toThrow(IllegalTransition);
    } else {
      expect({ ...job, ...transition(job, event, START, 'step').changes }.phase).toBe(expected);
    }
  });
});

describe('a poll', () => {
  const now = START.getTime();
  const begun = { phase: 'polling', seq: 7, link: 'begun', polls: 4, progress: 41 } as const;
  const polled = (job: Partial<Job>, told: object = {}) =>
    transition(
      aJob({ ...begun, due_at: now + 10_000, ...job }),
      { type: 'progressed', delaySeconds: 10, ...told },
      START,
      'step',
    );

  test.each<[string, Partial<Job>, object]>([
    ['nothing', {}, {}],
    ['less than callers would see', {}, { progress: 49.9 }],
    ['less progress than before', {}, { progress: 10 }],
    ['nothing, in the first moment of a link', { due_at: now + 60_000 }, {}],
  ])('that learns %s is only a message, which counts it', (_, job, told) => {
    const { next, isQuiet } = polled(job, told);
    expect([isQuiet, next]).toEqual([true, { seq: 7, link: 'begun', polls: 5, delaySeconds: 10 }]);
  });

  test('that is put off is only a message, which counts as many as before', () => {
    const job = aJob({ ...begun, due_at: now + 10_000 });
    const { next, isQuiet } = transition(job, { type: 'put_off', delaySeconds: 3 }, START, 'step');
    expect([isQuiet, next]).toEqual([true, { seq: 7, link: 'begun', polls: 4, delaySeconds: 3 }]);
  });

  test.each([
    [41, 50],
    [undefined, 10],
    [89, 100],
  ])('that learns of progress from %s to %i writes it, and leaves the chain as it is', (before, progress) => {
    const { changes, next, isQuiet } = polled(before === undefined ? { progress: 0 } : { progress: before }, {
      progress,
    });
    expect(next).toEqual({ seq: 7, link: 'begun', polls: 5, delaySeconds: 10 });
    expect(isQuiet).toBe(false);
    expect(changes).toMatchObject({
      seq: 7,
      link: 'begun',
      step: 'step',
      polls: 5,
      progress: Math.min(99, progress),
    });
    // A move in the index of the sweeper would cost as much again.
    expect(changes).not.toHaveProperty('due_at');
  });

  test.each<[string, Partial<Job>, object]>([
    ['behind which the link ends', { due_at: now + 9_999 }, {}],
    ['of a version that wrote each poll', { due_at: now }, {}],
    ['that came before it was due', { due_at: now + 60_001 }, {}],
    ['of a job that was swept', { sweeps: 1 }, {}],
    ['of a job that is to be cancelled', { cancel_requested_at: START.toISOString() }, {}],
    ['of a job that may be stopped', { cancel_requested_at: START.toISOString() }, { isMissing: true }],
  ])('%s begins the next link, which lasts a minute', (_, job, told) => {
    const { changes, next, isQuiet } = polled(job, { progress: 42, ...told });
    expect([isQuiet, next]).toEqual([false, { seq: 8, link: 'step', delaySeconds: 10 }]);
    expect(changes).toMatchObject({
      seq: 8,
      link: 'step',
      polls: 5,
      progress: 42,
      sweeps: 0,
      due_at: now + 60_000,
    });
  });

  test.each([
    [3_600, 90, 90],
    [30, 10, 30],
    [-100, 10, 60],
    [-290, 5, 10],
  ])(
    '%i s before the deadline, %i s before the next one: begins a link of %i s',
    (left, delaySeconds, seconds) => {
      const job = { deadline_at: now + left * 1000, due_at: now };
      expect(polled(job, { delaySeconds }).changes.due_at).toBe(now + seconds * 1000);
    },
  );

  test('leaves a message that comes before the sweeper would look for it, whatever the pauses', () => {
    const pause = fc.integer({ min: 1, max: 900 });
    fc.assert(
      fc.property(fc.array(pause, { minLength: 1, maxLength: 100 }), (pauses) => {
        let [job, at]: [Job, number] = [aJob({ ...begun, deadline_at: now + 86_400_000 }), now];
        for (const delaySeconds of pauses) {
          const event = { type: 'progressed', delaySeconds } as const;
          const { changes, next, isQuiet } = transition(job, event, new Date(at), 'step');
          if (!isQuiet) job = { ...job, ...changes };
          expect(job.due_at).toBeLessThanOrEqual(at + Math.max(60, delaySeconds) * 1000);
          at += (next?.delaySeconds ?? 0) * 1000;
          expect(at).toBeLessThanOrEqual(job.due_at);
        }
      }),
    );
  });
});

describe('a job that is completed', () => {
  test('is charged what its provider says, but at most what was held', () => {
    const amounts = fc.nat(1_000_000_000).map(micros);
    fc.assert(
      fc.property(amounts, fc.option(amounts, { nil: undefined }), (held, reported) => {
        const job = aJob({ phase: 'copying', estimate_micros: held });
        const cost = reported === undefined ? {} : { costMicros: reported };
        const { changes } = transition(
          job,
          { type: 'completed', outputs: [], keptDays: 7, ...cost },
          START,
          'step',
        );
        expect(changes.cost_micros).toBe(Math.min(held, reported ?? held));
        expect(changes.upstream_cost_micros).toBe((reported ?? 0) > held ? reported : undefined);
      }),
    );
  });

  test('also gets its discount on the provider’s price, except on the caller’s own key', () => {
    const amounts = fc.nat(1_000_000_000).map(micros);
    const shares = fc.integer({ min: 0, max: 10_000 }).map((part) => part / 10_000);
    fc.assert(
      fc.property(amounts, amounts, shares, fc.boolean(), (price, reported, data_discount, is_byok) => {
        const off = (amount: Micros) => (is_byok ? amount : afterDiscount(amount, data_discount));
        const job = aJob({ phase: 'copying', estimate_micros: off(price), data_discount, is_byok });
        const event: JobEvent = { type: 'completed', outputs: [], keptDays: 7, costMicros: reported };
        const { changes } = transition(job, event, START, 'step');
        expect(changes.cost_micros).toBe(Math.min(off(price), off(reported)));
        // If the provider bills no more than the price, nothing is reported.
        if (reported <= price) expect(changes).not.toHaveProperty('upstream_cost_micros');
        if (off(reported) > off(price)) expect(changes.upstream_cost_micros).toBe(reported);
      }),
    );
  });
});

describe('a job', () => {
  const apply = (job: Job, event: JobEvent): Job => ({
    ...job,
    ...transition(job, event, START, 'step').changes,
  });

  test('is in progress once the provider has accepted it, and has a generation id', () => {
    const job = apply(apply(aJob(), event('submit_begun')), event('accepted'));
    expect(job).toMatchObject({
      status: 'in_progress',
      phase: 'polling',
      generation_id: 'gen_1',
      submits: 1,
      seq: 1,
    });
  });

  test('that has ended costs something only if it is completed', () => {
    const copying = aJob({ phase: 'copying', status: 'in_progress' });
    expect(apply(copying, event('completed'))).toMatchObject({
      status: 'completed',
      cost_micros: 40_000,
      progress: 100,
    });
    expect(apply(copying, event('failed'))).toMatchObject({ status: 'failed', error: 'no' });
    expect(apply(copying, event('failed'))).not.toHaveProperty('cost_micros');
    expect(apply(copying, event('expired'))).toMatchObject({ status: 'expired', error: 'late' });
  });

  test('that is cancelled costs what its provider charges for it all the same', () => {
    const polling = aJob({ phase: 'polling' });
    const cancelled = { type: 'cancelled', reason: 'stop' } as const;
    expect(apply(polling, cancelled)).not.toHaveProperty('cost_micros');
    expect(apply(polling, { ...cancelled, costMicros: micros(3) }).cost_micros).toBe(3);
  });

  test('counts the copies that were not a video, and remembers why the latest failed', () => {
    const begun = apply(aJob({ phase: 'made' }), event('copy_begun'));
    const once = apply(apply(begun, event('copy_failed')), event('copy_begun'));
    const gone = { type: 'copy_failed', reason: 'broke off', isUnusable: false, delaySeconds: 5 } as const;
    expect(apply(once, gone)).toMatchObject({ unusable_copies: 1, copy_error: 'broke off', polls: 2 });
  });

  test('never shows less progress than before, nor 100 before it is completed', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -10, max: 200, noNaN: true })), (reports) => {
        let job: Job = aJob({ phase: 'polling' });
        for (const progress of reports) {
          const next = apply(job, { type: 'progressed', progress, delaySeconds: 1 });
          expect(next.progress ?? 0).toBeGreaterThanOrEqual(job.progress ?? 0);
          expect(next.progress ?? 0).toBeLessThan(100);
          job = next;
        }
      }),
    );
  });

  test.each([
    [0.5, undefined, 0],
    [1, undefined, 1],
    [40.9, 40, 40],
    [41, 40, 41],
    [100, 40, 99],
  ])('whose provider reports %d %% after %s shows %i', (reported, progress, shown) => {
    const job = aJob({ phase: 'polling', ...(progress === undefined ? {} : { progress }) });
    const report = { type: 'progressed', progress: reported, delaySeconds: 1 } as const;
    expect(transition(job, report, START, 'step').changes.progress).toBe(shown);
  });

  test.each([undefined, 39, 40])('whose provider reports %s after 40 writes no progress', (reported) => {
    const job = aJob({ phase: 'polling', progress: 40 });
    const report = { type: 'progressed', delaySeconds: 1, ...(reported && { progress: reported }) } as const;
    expect(transition(job, report, START, 'step').changes).not.toHaveProperty('progress');
  });

  test('is not charged more by its provider where the charge is what was held', () => {
    const { estimate_micros: costMicros } = aJob();
    const copying = aJob({ phase: 'copying' });
    expect(apply(copying, { type: 'completed', outputs: [], keptDays: 7, costMicros })).not.toHaveProperty(
      'upstream_cost_micros',
    );
  });

  test('remembers that a provider may have taken it', () => {
    const begun = { type: 'submit_begun', leaseUntil: START.getTime() } as const;
    expect(apply(aJob(), begun)).not.toHaveProperty('may_be_taken');
    expect(apply(aJob(), { ...begun, mayBeTaken: false })).not.toHaveProperty('may_be_taken');
    expect(apply(aJob(), { ...begun, mayBeTaken: true }).may_be_taken).toBe(true);
  });

  test('goes nowhere else after a submit that was never answered', () => {
    const { endpoint = '', provider = '', estimate_micros, is_byok } = aJob();
    const alternatives = [{ endpoint, provider, estimate_micros, is_byok }];
    const submitting = aJob({ phase: 'submitting', alternatives });
    expect(apply(aJob({ alternatives }), event('submit_begun')).alternatives).toEqual(alternatives);
    expect(apply(submitting, event('submit_begun')).alternatives).toEqual([]);
    const deferred = { type: 'submit_deferred', reason: 'down', delaySeconds: 1 } as const;
    expect(apply(submitting, { ...deferred, mayBeTaken: false })).toMatchObject({ alternatives });
    expect(apply(submitting, { ...deferred, mayBeTaken: true })).toMatchObject({
      alternatives: [],
      may_be_taken: true,
    });
  });

  test('knows no 404 as the latest answer after a copy that began, even if it was put off', () => {
    const isMissing = (job: Job) => job.missing_in_poll === job.polls;
    const told = { type: 'copy_failed', reason: '404', isUnusable: false, delaySeconds: 5 } as const;
    const missing = apply(aJob({ phase: 'copying' }), { ...told, isMissing: true });
    const putOff = apply(apply(missing, event('copy_begun')), event('put_off'));
    expect([missing, putOff].map(isMissing)).toEqual([true, false]);
    expect(isMissing(apply(missing, event('put_off')))).toBe(true);
  });

  test('begins each step without a sweep', () => {
    expect(apply(aJob({ sweeps: 3 }), event('put_off')).sweeps).toBe(0);
  });

  test('remembers each place that did not take it, once', () => {
    const { provider, endpoint } = aJob();
    const moved = apply(aJob(), event('moved'));
    expect(moved.history.slice(1)).toEqual([
      { at: START.toISOString(), status: 'pending', provider, endpoint, detail: 'busy' },
    ]);
    expect(apply(aJob({ tried: true }), event('moved'))).toMatchObject({ history: aJob().history });
    const accepted = apply(aJob({ phase: 'submitting' }), event('accepted'));
    expect(accepted.history.at(-1)).toEqual({
      at: START.toISOString(),
      status: 'in_progress',
      provider,
      endpoint,
    });
  });

  test('sends the next link of its chain with each step that does not end it, and none at its end', () => {
    for (const event of EVENTS) {
      const phase = PHASES.find((each) => LEADS_TO[event.type][each] !== undefined)!;
      const { next, changes } = transition(aJob({ phase, seq: 7 }), event, START, 'step');
      if ('delaySeconds' in event) {
        expect(next).toEqual({ seq: 8, link: 'step', delaySeconds: event.delaySeconds });
        expect(changes).toMatchObject({
          seq: 8,
          link: 'step',
          due_at:
            START.getTime() + (phase === 'polling' && event.type !== 'made' ? 60 : event.delaySeconds) * 1000,
        });
      } else expect(next).toBeUndefined();
    }
  });

  test.each([
    [60_000, 900, 60],
    [59_001, 900, 60],
    [60_000, 60, 60],
    [60_000, 59, 59],
    [0, 5, 5],
    [-299_000, 5, 1],
    [-300_000, 5, 0],
  ])('with %i ms left waits %i s for %i s', (left, delaySeconds, waited) => {
    const job = aJob({ deadline_at: START.getTime() + left });
    expect(transition(job, { type: 'put_off', delaySeconds }, START, 'step').next).toEqual({
      seq: 1,
      link: 'step',
      delaySeconds: waited,
    });
  });

  test('is leased to one submit until its deadline at most', () => {
    const leaseUntil = START.getTime() + 60_000;
    const due = (deadline_at: number) =>
      transition(aJob({ deadline_at }), { type: 'submit_begun', leaseUntil }, START, 'step').changes;
    for (const [deadline, until] of [
      [leaseUntil + 1, leaseUntil],
      [leaseUntil - 1, leaseUntil - 1],
    ] as const) {
      expect(due(deadline)).toMatchObject({ leased_until: until });
    }
  });

  test('does not move in the index of the sweepers with a lease', () => {
    const leaseUntil = START.getTime() + 60_000;
    const begun = (phase: Job['phase'], type: 'submit_begun' | 'copy_begun', due_at = START.getTime()) =>
      transition(aJob({ phase, due_at }), { type, leaseUntil }, START, 'step').changes;
    expect(begun('queued', 'submit_begun')).not.toHaveProperty('due_at');
    expect(begun('made', 'copy_begun')).not.toHaveProperty('due_at');
    // A sweep, or a clock that is ahead, has put it off.
    expect(begun('made', 'copy_begun', leaseUntil + 1)).toMatchObject({ due_at: leaseUntil });
  });

  test('remembers each status that callers could see, once', () => {
    const submitted = apply(apply(aJob(), event('submit_begun')), event('accepted'));
    const polled = apply(submitted, event('progressed'));
    const statuses = (job: Job) => job.history.map(({ status }) => status);
    expect(statuses(polled)).toEqual(['pending', 'in_progress']);
    expect(apply(polled, event('failed')).history.at(-1)).toEqual({
      at: START.toISOString(),
      status: 'failed',
      detail: 'no',
    });
    expect(statuses(apply(aJob(), event('cancelled')))).toEqual(['pending', 'cancelled']);
  });

  test('can be read for 90 days after its end', () => {
    const { expires_at } = apply(aJob({ phase: 'copying' }), event('completed'));
    expect(expires_at).toBe(START.getTime() / 1000 + 90 * 86_400);
  });
});
