import { expect, test } from '@jest/globals';
import { failures } from '../../../functions/videos/jobs/failure-kind.ts';
import { CANCELLED, type JobFailure, jobFailure } from '../../../functions/videos/jobs/job-failure.ts';

test.each<[string, JobFailure, JobFailure]>([
  [
    'a provider',
    jobFailure('no', false),
    { type: 'failed', reason: 'no', failure: { type: 'provider', retryable: true } },
  ],
  [
    'an input',
    jobFailure('no image', false, failures.input),
    { type: 'failed', reason: 'no image', failure: { type: 'input', retryable: false } },
  ],
  [
    'a provider’s moderation',
    jobFailure('blood', true, failures.provider),
    {
      type: 'failed',
      reason: 'Refused by the provider’s moderation: blood',
      moderated: true,
      failure: { type: 'moderation', retryable: false },
    },
  ],
])('a job that fails because of %s says so', (_, failure, expected) => {
  expect(failure).toEqual(expected);
});

test('a job that is cancelled was cancelled by its caller', () => {
  expect(CANCELLED).toEqual({ type: 'cancelled', reason: 'Cancelled by the caller' });
});
