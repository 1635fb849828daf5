import { expect, test } from '@jest/globals';
import { micros } from '../../../functions/money/micros.ts';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { activitiesOf, activityOf } from '../../../functions/videos/jobs/job-steps.ts';
import { aJob } from './job-fixture.ts';

const { duration_seconds: _, ...plain } = aJob();
const ended: Job = {
  ...plain,
  status: 'completed',
  duration_seconds: 6,
  completed_at: '2026-01-02T23:59:59.999Z',
  updated_at: '2026-01-03T00:00:00.000Z',
  cost_micros: micros(30_000),
};
const activity = {
  day: '2026-01-02',
  workspace_id: 'ws-1',
  key_hash: 'hash',
  model: 'sandbox/clip-1',
  provider: 'sandbox',
  jobs: 1,
  completed: 1,
  seconds: 6,
  micros: 30_000,
  byok_micros: 0,
  endpoint: 'sandbox/clip-1',
};

test('a job counts on the day of its end, its seconds only where it is completed', () => {
  expect(activityOf(ended)).toEqual(activity);
  const { completed_at: _at, cost_micros: _cost, ...rest } = ended;
  expect(activityOf({ ...rest, status: 'failed' })).toEqual({
    ...activity,
    day: '2026-01-03',
    completed: 0,
    seconds: 0,
    micros: 0,
  });
});

test('what a job has cost on a provider key of its workspace counts apart', () => {
  expect(activityOf({ ...ended, is_byok: true })).toEqual({ ...activity, byok_micros: 30_000 });
});

test('a job that names a user counts a second time, for that user', () => {
  expect(activitiesOf(ended)).toEqual([activity]);
  const ofUser = { ...activity, day: '2026-01-02#users', user: 'user-7' };
  expect(activitiesOf({ ...ended, user: 'user-7' })).toEqual([activity, ofUser]);
});

test('a job of an older version counts by its request and its model', () => {
  const { duration_seconds: _seconds, provider: _provider, ...old } = ended;
  expect(activityOf(old)).toEqual({ ...activity, seconds: 4 });
  const { request: _request, ...older } = old;
  expect(activityOf({ ...older, model: 'nobody/knows' })).toEqual({
    ...activity,
    model: 'nobody/knows',
    provider: 'unknown',
    seconds: 0,
  });
});
