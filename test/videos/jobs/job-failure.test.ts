import { expect, test } from '@jest/globals';
import {
  CANCELLED,
  failures,
  type JobFailure,
  jobFailure,
} from '../../../functions/videos/jobs/job-failure.ts';

test.each<[string, Parameters<typeof jobFailure>, JobFailure]>([
  ['a provider', ['no', false], { type: 'failed', reason: 'no', failure: failures.provider }],
  [
    'an input',
    ['no image', false, failures.input],
    { type: 'failed', reason: 'no image', failure: failures.input },
  ],
  [
    'a provider’s moderation',
    ['blood', true, failures.provider],
    {
      type: 'failed',
      reason: 'Refused by the provider’s moderation: blood',
      moderated: true,
      failure: failures.moderation,
    },
  ],
])('a job that fails because of %s says so', (_, given, expected) => {
  expect(jobFailure(...given)).toEqual(expected);
});

test('a job that is cancelled was cancelled by its caller', () => {
  expect(CANCELLED).toEqual({ type: 'cancelled', reason: 'Cancelled by the caller' });
});
