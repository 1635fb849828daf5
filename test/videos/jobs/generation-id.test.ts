import { expect, test } from '@jest/globals';
import { newId } from '../../../functions/ids.ts';
import { generationIdOf, jobIdOf } from '../../../functions/videos/jobs/job.ts';

test('the id of a generation leads back to its job', () => {
  const jobId = newId.video(new Date('2026-01-01T00:00:00Z'));
  expect(generationIdOf(jobId)).toMatch(/^gen_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(jobIdOf(generationIdOf(jobId))).toBe(jobId);
});
