import { expect, test } from '@jest/globals';
import { goneAt, isGone } from '../../../functions/videos/jobs/job.ts';
import { RETENTION_DAYS } from '../../../functions/workspaces/retention-days.ts';

const END = '2026-01-01T00:00:00.000Z';

test.each(RETENTION_DAYS)('a result is kept for %i days to the millisecond', (days) => {
  const job = { completed_at: END, kept_days: days };
  const end = Date.parse(END) + days * 86_400_000;
  expect(isGone(job, new Date(end - 1))).toBe(false);
  expect(isGone(job, new Date(end))).toBe(true);
});

test('a result that does not exist yet has not expired', () => {
  expect(isGone({}, new Date('2999-01-01T00:00:00Z'))).toBe(false);
});

test.each([{}, { completed_at: END }, { kept_days: 7 }])('%j says nothing of the end of a result', (job) => {
  expect(goneAt(job)).toBeUndefined();
});
