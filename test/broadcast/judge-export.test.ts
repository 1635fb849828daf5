import { describe, expect, test } from '@jest/globals';
import { judgeExport } from '../../functions/broadcast/post-span.ts';
import { MAX_ATTEMPTS } from '../../functions/webhooks/delivery/judge-answer.ts';

const first = { attempt: 1, refusals: 0 };
const judged = (status: number, aborts = false) => judgeExport({ status, aborts }, first, () => 0.5).status;

describe('what follows from a response, as OTLP defines', () => {
  test.each([
    [200, 'delivered'],
    [202, 'delivered'],
    [299, 'delivered'],
    [301, 'failed'],
    [400, 'failed'],
    [401, 'failed'],
    [404, 'failed'],
    [410, 'failed'],
    [429, 'pending'],
    [500, 'failed'],
    [501, 'failed'],
    [502, 'pending'],
    [503, 'pending'],
    [504, 'pending'],
    [505, 'failed'],
  ])('%i: %s', (status, verdict) => {
    expect(judged(status)).toBe(verdict);
  });

  test('a 2xx that rejects the span: failed', () => {
    expect(judged(200, true)).toBe('failed');
  });

  test('a 503 is retried at the time that it names', () => {
    const answer = { status: 503, aborts: false, retryAfterSeconds: 120 };
    expect(judgeExport(answer, first, () => 0.5)).toEqual({
      status: 'pending',
      delaySeconds: 120,
      refused: false,
    });
  });

  test.each(['timed_out', 'connection_failed', 'tls_failed'] as const)('%s is retried', (failure) => {
    expect(judgeExport({ failure }, first, () => 0.5).status).toBe('pending');
  });

  test('nothing is retried after the last attempt', () => {
    const last = { attempt: MAX_ATTEMPTS, refusals: 0 };
    expect(judgeExport({ status: 503, aborts: false }, last, () => 0.5).status).toBe('failed');
    expect(
      judgeExport({ status: 503, aborts: false }, { ...last, attempt: MAX_ATTEMPTS - 1 }, () => 0.5).status,
    ).toBe('pending');
  });
});
