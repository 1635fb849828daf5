import { describe, expect, test } from '@jest/globals';
import { ApiFailure, failureOf, inWords, isWorthAnotherTry } from '../../../console/api/client.ts';

test('a refusal is shown in the API’s own words, with what helps to act on it', () => {
  const body = {
    error: {
      code: 402,
      message: 'It does not fit.',
      metadata: { path: 'duration', resets_at: '2026-01-01T00:00:00Z' },
    },
  };
  const failure = failureOf(402, body, 'req-1');
  expect(inWords(failure)).toBe('It does not fit.');
  expect(failure).toMatchObject({
    status: 402,
    path: 'duration',
    requestId: 'req-1',
    resetsAt: '2026-01-01T00:00:00Z',
  });
});

test.each([undefined, null, 'text', 7, [], {}, { error: 'x' }, { error: { message: 7 } }, { error: null }])(
  'an answer like %j, which the API never gives, is still told as one',
  (body) => {
    expect(inWords(failureOf(502, body))).toBe('The API returned 502 without a message');
  },
);

test('what never arrived is not a refusal', () => {
  expect(inWords(new TypeError('Failed to fetch'))).toMatch(/could not be reached/);
});

describe('another try', () => {
  test.each([
    [new ApiFailure(400, ''), false],
    [new ApiFailure(429, ''), false],
    [new ApiFailure(499, ''), false],
    [new ApiFailure(500, ''), true],
    [new TypeError('Failed to fetch'), true],
  ])('%# %s', (error, isWorth) => {
    expect(isWorthAnotherTry(error)).toBe(isWorth);
  });
});

test('an invalid time is left out', () => {
  const body = { error: { message: 'No.', metadata: { resets_at: '<b>soon</b>' } } };
  expect(failureOf(402, body).resetsAt).toBeUndefined();
});
