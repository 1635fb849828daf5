import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RateLimited } from '../../../functions/http/errors.ts';
import {
  awaitChange,
  grantedWait,
  usefulIn,
  wantedWait,
} from '../../../functions/videos/jobs/await-change.ts';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { aJob, START } from './job-fixture.ts';

test.each([
  ['wait=5', 5],
  ['wait=0', 0],
  ['wait=20', 20],
  ['wait=21', 20],
  ['WAIT = 7', 7],
  ['respond-async, wait="10"', 10],
  ['wait=10; foo, handling=lenient', 10],
  ['wait', undefined],
  ['wait=x', undefined],
  ['wait=-1', undefined],
  ['await=5', undefined],
  [undefined, undefined],
])('Prefer: %s grants %s seconds', (prefer, seconds) => {
  expect(wantedWait(prefer)).toBe(seconds);
});

test.each([
  ['queued', 2, 2],
  ['queued', 900, 30],
  ['polling', -3, 1],
  ['polling', 1.2, 2],
  ['polling', 25, 2],
  ['made', 0, 1],
  ['settled', 9, undefined],
  // Their due time is the end of a lease, by which most have long gone on.
  ['submitting', 60, 5],
  ['copying', 960, 5],
] as const)('a job that is %s, and due in %s s, is worth another poll in %s s', (phase, due, seconds) => {
  expect(usefulIn(aJob({ phase, due_at: START.getTime() + due * 1000 }), START)).toBe(seconds);
});

test('a job of which nobody has heard since the last written poll is worth another poll when it is probably polled next', () => {
  const job = aJob({ phase: 'polling', polls: 12, due_at: START.getTime() + 60_000 });
  expect(usefulIn(job, new Date(START.getTime() + 13_000))).toBe(7);
});

describe('a workspace’s share of waiting polls', () => {
  const none = () => Promise.reject(new RateLimited('none left'));
  const running = aJob({ phase: 'polling' });

  async function granted(seconds: number, job = running) {
    let taken = 0;
    const takeShare = async () => void taken++;
    return { seconds: await grantedWait(job, seconds, takeShare), taken };
  }

  test('is used by each poll that waits', async () => {
    expect(await granted(20)).toEqual({ seconds: 20, taken: 1 });
  });

  test('is not used by polls that are answered at once', async () => {
    expect(await granted(0)).toEqual({ seconds: 0, taken: 0 });
    expect(await granted(20, aJob({ phase: 'settled' }))).toEqual({ seconds: 20, taken: 0 });
  });

  test('allows no wait once it is used up: the response comes at once', async () => {
    expect(await grantedWait(running, 20, none)).toBe(0);
  });

  test('does not hide an error', async () => {
    const broken = () => Promise.reject(new Error('no table'));
    await expect(grantedWait(running, 20, broken)).rejects.toThrow('no table');
  });
});

describe('waiting', () => {
  /** Waits for a job that has these states, one at each look. The last state stays. */
  async function wait(seconds: number, first: Job, ...later: (Job | undefined)[]) {
    let now = START.getTime();
    let looks = 0;
    const job = await awaitChange(first, seconds, {
      look: async () => later[Math.min(looks++, later.length - 1)],
      now: () => new Date(now),
      pause: async (milliseconds) => {
        now += milliseconds;
      },
    });
    return { job, looks, waited: (now - START.getTime()) / 1000 };
  }
  const pending = aJob();
  const running = aJob({ status: 'in_progress', phase: 'polling' });
  const done = aJob({ status: 'completed', phase: 'settled' });

  test('ends with the first change', async () => {
    expect(await wait(20, pending, pending, running, done)).toEqual({ job: running, looks: 2, waited: 2 });
  });

  test('looks closely once the provider is done', async () => {
    const copying = aJob({ status: 'in_progress', phase: 'copying' });
    expect(await wait(20, running, copying, copying, copying, done)).toEqual({
      job: done,
      looks: 4,
      waited: 1.75,
    });
  });

  test('ends with the commit of the end, a quarter of a second later at most, whenever the provider is next polled', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 9_000 }),
        fc.integer({ min: 1_000, max: 9_000 }),
        async (madeAt, copied) => {
          const endsAt = START.getTime() + madeAt + copied;
          // Its provider will call, and is not polled before that.
          const called = { ...running, calls_back: 'reliably', due_at: endsAt + 300_000 } as const;
          let now = START.getTime();
          const stateNow = () =>
            now < START.getTime() + madeAt ? called : { ...called, phase: 'made' as const };
          const job = await awaitChange(called, 20, {
            look: async () => (now < endsAt ? stateNow() : done),
            now: () => new Date(now),
            pause: async (milliseconds) => {
              now += milliseconds;
            },
          });
          expect([job, now - endsAt < 250]).toEqual([done, true]);
        },
      ),
    );
  });

  test('ends with the time', async () => {
    expect(await wait(3, pending, { ...pending, progress: 3 })).toEqual({
      job: { ...pending, progress: 3 },
      looks: 3,
      waited: 3,
    });
  });

  test.each([
    ['an ended job', 20, done],
    ['no time', 0, pending],
  ])('does not begin for %s', async (_, seconds, job) => {
    expect(await wait(seconds, job, running)).toEqual({ job, looks: 0, waited: 0 });
  });

  test('goes on while a millisecond is left', async () => {
    let now = START.getTime();
    const pauses: number[] = [];
    await awaitChange(pending, 1, {
      look: async () => pending,
      now: () => new Date(now),
      pause: async (milliseconds) => {
        pauses.push(milliseconds);
        now += Math.min(milliseconds, 999);
      },
    });
    expect(pauses).toEqual([1000, 1]);
  });

  test('ends when its job is deleted', async () => {
    expect(await wait(20, pending, undefined)).toEqual({ job: pending, looks: 1, waited: 1 });
  });
});
