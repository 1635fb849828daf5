import { expect, test } from '@jest/globals';
import { failures, isProvidersFailure } from '../../../functions/videos/jobs/job-failure.ts';

test.each([
  ['provider', true],
  ['timeout', true],
  ['refusal', false],
  ['moderation', false],
  ['input', false],
  ['cancelled', false],
  ['internal', false],
] as const)('a job that ended by %s is a failure of its provider: %s', (kind, expected) => {
  expect(isProvidersFailure(failures[kind])).toBe(expected);
});
