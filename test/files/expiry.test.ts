import { expect, test } from '@jest/globals';
import { expirySeconds } from '../../functions/files/file.ts';
import { InvalidRequest } from '../../functions/http/errors.ts';

const secondsOf = (fields: Record<string, string>) => expirySeconds(new Map(Object.entries(fields)));

test.each([
  [{}, undefined],
  [{ expires_in_seconds: '1' }, 1],
  [{ expires_after: '2592000' }, 2_592_000],
  [{ 'expires_after[seconds]': '3600' }, 3600],
  [{ 'expires_after[seconds]': '3600', 'expires_after[anchor]': 'created_at' }, 3600],
])('%j is %s', (fields, seconds) => {
  expect(secondsOf(fields)).toBe(seconds);
});

test.each([
  [{ expires_in_seconds: '0' }, /^expires_in_seconds: must be a whole number of seconds/],
  [{ expires_in_seconds: '2592001' }, /^expires_in_seconds: must be a whole number of seconds/],
  [{ expires_in_seconds: '' }, /^expires_in_seconds: must be a whole number of seconds/],
  [{ expires_after: '1.5' }, /^expires_after: must be a whole number of seconds/],
  [{ expires_after: '-1' }, /^expires_after: must be/],
  [
    { 'expires_after[anchor]': 'last_active_at', 'expires_after[seconds]': '9' },
    /^expires_after\[anchor\]: must be created_at/,
  ],
  [{ 'expires_after[anchor]': 'created_at' }, /^expires_after\[seconds\]: is required/],
  [
    { expires_after: '9', expires_in_seconds: '9' },
    /^expires_after: cannot be combined with expires_in_seconds/,
  ],
  [
    { expires_in_seconds: '9', 'expires_after[seconds]': '9', expires_after: '9' },
    /^expires_after: cannot be combined with expires_after\[seconds\], expires_in_seconds$/,
  ],
])('%j is refused', (fields, message) => {
  expect(() => secondsOf(fields)).toThrow(message);
});

test('a file may be asked to end after 30 days at most', () => {
  expect(() => secondsOf({ expires_after: '2592001' })).toThrow(
    new InvalidRequest(
      'expires_after: must be a whole number of seconds after the upload, from 1 to 2592000',
    ),
  );
});
