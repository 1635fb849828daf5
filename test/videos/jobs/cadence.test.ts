import { describe, expect, test } from '@jest/globals';
import {
  failedPollDelay,
  nextLookAt,
  nextStepAt,
  pollDelay,
  putOffDelay,
  submitDelay,
} from '../../../functions/videos/jobs/cadence.ts';
import { aJob, START } from './job-fixture.ts';

describe('the pace of polling', () => {
  test.each([
    [0, 2],
    [1, 2],
    [2, 5],
    [6, 5],
    [7, 10],
    [18, 10],
    [19, 25],
    [1_000, 25],
  ])('after %i polls it waits %i s', (polls, seconds) => {
    expect(pollDelay(polls, undefined)).toBe(seconds);
  });

  test.each([
    [0, 1],
    [0.2, 1],
    [7.1, 8],
    [900, 900],
    [5_000, 900],
  ])('a provider that asks for %d s gets %i', (wished, seconds) => {
    expect(pollDelay(0, wished)).toBe(seconds);
  });
});

describe('the next step of a job', () => {
  const at = (seconds: number) => START.getTime() + seconds * 1000;
  const polling = { phase: 'polling', updated_at: START.toISOString() } as const;
  const called = { calls_back: 'reliably' } as const;
  test.each([
    ['that has just been accepted', { ...polling, due_at: at(2) }, 0, 2],
    ['whose first polls were not written', { ...polling, polls: 1, due_at: at(60) }, 5, 9],
    ['at the moment of a poll', { ...polling, polls: 1, due_at: at(60) }, 4, 9],
    ['whose latest poll was written', { ...polling, polls: 12, due_at: at(60) }, 0, 10],
    ['before the last poll of a link', { ...polling, polls: 12, due_at: at(55) }, 51, 55],
    ['whose next poll is late', { ...polling, polls: 12, due_at: at(60) }, 75, 60],
    ['whose provider wants a longer pause', { ...polling, polls: 12, due_at: at(61) }, 5, 61],
    ['whose provider will call', { ...polling, ...called, due_at: at(300) }, 3, 62],
    ['whose provider has called', { ...polling, ...called, callbacks: 1, polls: 3, due_at: at(60) }, 3, 5],
    ['that waits for its submit', { updated_at: START.toISOString(), due_at: at(20) }, 5, 20],
  ])('%s is due when it probably comes', (_, fields, now, due) => {
    expect(nextStepAt(aJob(fields), new Date(at(now)))).toBe(at(due));
  });
});

test('a caller looks at a job whose provider will call as often as the provider would be asked without that', () => {
  const history = [{ at: START.toISOString(), status: 'in_progress' as const }];
  const due_at = START.getTime() + 300_000;
  const job = aJob({
    phase: 'polling',
    calls_back: 'reliably',
    polls: 2,
    history,
    due_at,
    updated_at: START.toISOString(),
  });
  const next = (seconds: number) =>
    (nextLookAt(job, new Date(START.getTime() + seconds * 1000)) - START.getTime()) / 1000;
  expect([0, 5, 40, 160, 400].map(next)).toEqual([2, 6, 41, 176, 401]);
});

describe('after a poll that failed', () => {
  test.each([
    [0, undefined, 2],
    [0, 1, 2],
    [0, 3, 3],
    [19, 3, 25],
    [19, 5_000, 900],
  ])('(the %ith, with a requested %p s) it waits %i s', (polls, wished, seconds) => {
    expect(failedPollDelay(polls, wished)).toBe(seconds);
  });
});

describe('a postponed job', () => {
  test.each([
    [0.2, 0, 1],
    [0.2, 0.999, 2],
    [30, 0, 30],
    [30, 0.999, 45],
    [899, 0.999, 900],
  ])('for %d s at a draw of %d comes back after %i s', (seconds, draw, waited) => {
    expect(putOffDelay(seconds, () => draw)).toBe(waited);
  });
});

describe('the pace of submits', () => {
  test.each([
    [1, undefined, 0, 1],
    [1, undefined, 0.999, 2],
    [5, undefined, 0, 16],
    [6, undefined, 0, 20],
    [50, undefined, 0.999, 30],
    [1, 7, 0, 7],
    [6, 7, 0, 20],
    [9, 30, 0.5, 38],
    [1, 86_400, 0.5, 900],
  ])(
    'after %i submits, with a requested %p s and a draw of %d, it waits %i s',
    (...[submits, wished, draw, seconds]) => {
      expect(submitDelay(submits, wished, () => draw)).toBe(seconds);
    },
  );
});
