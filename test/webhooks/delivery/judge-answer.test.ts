import { describe, expect, test } from '@jest/globals';
import {
  type Answer,
  judgeAnswer,
  outcomeOf,
  type RequestFailure,
} from '../../../functions/webhooks/delivery/judge-answer.ts';

const exact = () => 0.5;
const first = { attempt: 1, refusals: 0 };
const answered = (status: number, more: { retryAfterSeconds?: number; aborts?: boolean } = {}): Answer => ({
  status,
  aborts: false,
  ...more,
});
const judged = (answer: Answer, made = first) => judgeAnswer(answer, made, exact);
const retryIn = (delaySeconds: number) => ({ status: 'pending', delaySeconds, refused: false });

describe('an answer', () => {
  test.each([200, 201, 202, 204, 299])('of %i is a delivery', (status) => {
    expect(judged(answered(status))).toEqual({ status: 'delivered' });
  });

  test.each([
    199, 300, 301, 302, 304, 307, 308, 400, 401, 403, 404, 409, 411, 422, 429, 500, 502, 503, 504, 599,
  ])('of %i is retried by the schedule', (status) => {
    expect(judged(answered(status))).toEqual(retryIn(5));
  });

  test('of 410 is final, and disables the address', () => {
    expect(judged(answered(410))).toEqual({ status: 'failed', isGone: true });
  });

  test.each([300, 404, 429, 500, 503])('of %i that aborts ends only this event', (status) => {
    expect(judged(answered(status, { aborts: true, retryAfterSeconds: 9 }))).toEqual({
      status: 'failed',
      isGone: false,
    });
  });

  test.each<[number, number, number]>([
    [429, 4, 5],
    [429, 6, 6],
    [503, 3600, 3600],
    [503, 86_400, 86_400],
    [503, 86_401, 86_400],
    [500, 3600, 5],
    [302, 3600, 5],
  ])('of %i that asks for %i s waits %i s', (status, retryAfterSeconds, delay) => {
    expect(judged(answered(status, { retryAfterSeconds }))).toEqual(retryIn(delay));
  });

  test('that fails is retried up to eleven attempts', () => {
    expect(judged(answered(500), { attempt: 10, refusals: 0 })).toEqual(retryIn(86_400));
    expect(judged(answered(500), { attempt: 11, refusals: 0 })).toEqual({ status: 'failed', isGone: false });
  });
});

describe('a failure', () => {
  test.each<RequestFailure>(['timed_out', 'connection_failed'])(
    'of the kind %s is tried again',
    (failure) => {
      expect(judged({ failure })).toEqual(retryIn(5));
      expect(judged({ failure }, { attempt: 3, refusals: 1 })).toEqual(retryIn(300));
    },
  );

  test.each<RequestFailure>(['tls_failed', 'address_refused'])(
    'of the kind %s is retried once after five minutes, at any attempt',
    (failure) => {
      expect(judged({ failure }, { attempt: 11, refusals: 0 }).status).toBe('failed');
      for (const attempt of [1, 5, 10]) {
        expect(judged({ failure }, { attempt, refusals: 0 })).toEqual({
          status: 'pending',
          delaySeconds: 300,
          refused: true,
        });
        expect(judged({ failure }, { attempt, refusals: 1 })).toEqual({ status: 'failed', isGone: false });
      }
    },
  );
});

test('shows only the class of an answer', () => {
  expect([199, 204, 302, 410, 599].map((status) => outcomeOf(answered(status)))).toEqual([
    '1xx',
    '2xx',
    '3xx',
    '4xx',
    '5xx',
  ]);
  expect(outcomeOf({ failure: 'timed_out' })).toBe('timed_out');
});
