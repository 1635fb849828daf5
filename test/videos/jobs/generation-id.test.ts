import { expect, test } from '@jest/globals';
import { newId } from '../../../functions/ids.ts';
import { GENERATION_ID, generationIdOf, jobIdOf } from '../../../functions/videos/jobs/generation-id.ts';

test('the id of a generation leads back to its job', () => {
  const jobId = newId.video(new Date('2026-01-01T00:00:00Z'));
  expect(generationIdOf(jobId)).toMatch(GENERATION_ID);
  expect(jobIdOf(generationIdOf(jobId))).toBe(jobId);
});
