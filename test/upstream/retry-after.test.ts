import { expect, test } from '@jest/globals';
import { retryAfter } from '../../functions/upstream/reply.ts';

test.each([
  [null, undefined],
  ['0', 0],
  ['7', 7],
  ['999999999', 999_999_999],
  ['1000000000', undefined],
  ['-1', 0],
  ['soon', undefined],
  ['', undefined],
  [`Sat, 21 Nov 2026 10:00:30 GMT${' '.repeat(35)}`, 30],
  [`Sat, 21 Nov 2026 10:00:30 GMT${' '.repeat(36)}`, undefined],
  ['Sat, 21 Nov 2026 10:00:30 GMT', 30],
  ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
])('Retry-After: %s is %p seconds', (header, seconds) => {
  expect(retryAfter(header, new Date('2026-11-21T10:00:00Z'))).toBe(seconds);
});
