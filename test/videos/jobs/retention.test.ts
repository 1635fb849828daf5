import { expect, test } from '@jest/globals';
import { isGone } from '../../../functions/videos/jobs/retention.ts';

const at = (text: string) => new Date(text);

test('a result is kept for thirty days to the millisecond', () => {
  const job = { completed_at: '2026-01-01T00:00:00.000Z' };
  expect(isGone(job, at('2026-01-30T23:59:59.999Z'))).toBe(false);
  expect(isGone(job, at('2026-01-31T00:00:00.000Z'))).toBe(true);
});

test('what is not there yet is not gone', () => {
  expect(isGone({}, at('2999-01-01T00:00:00Z'))).toBe(false);
});
