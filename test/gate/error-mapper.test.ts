import { describe, expect, test } from '@jest/globals';
import { toErrorResponse } from '../../functions/gate/gate.ts';
import { InvalidRequest, RateLimited, ServiceUnavailable } from '../../functions/http/errors.ts';

function map(thrown: unknown, answers503 = false) {
  const lines: { level: string; fields: unknown }[] = [];
  const line = (level: string) => (_message: string, fields?: unknown) => void lines.push({ level, fields });
  const log = { info: line('info'), warn: line('warn'), error: line('error') };
  const response = toErrorResponse(thrown, { log, answers503 });
  return { response, body: JSON.parse(response.body), lines };
}

describe('a thrown error', () => {
  test('becomes the error body with its status, message, word and metadata', () => {
    const { response, body } = map(new InvalidRequest('name: is required', { metadata: { path: 'name' } }));
    expect(response.status).toBe(400);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(body).toEqual({
      error: {
        code: 400,
        message: 'name: is required',
        metadata: {
          error_type: 'invalid_request',
          docs_url: '/api/v1/docs#error-invalid_request',
          path: 'name',
        },
      },
    });
  });

  test('may have its own headers', () => {
    const { response } = map(new RateLimited('Too many requests', { headers: { 'retry-after': '7' } }));
    expect(response.headers['retry-after']).toBe('7');
  });

  test('hides the cause of an unexpected error, and logs it', () => {
    const cause = new Error('table Secrets is on fire');
    const { response, body, lines } = map(cause);
    expect(response.status).toBe(500);
    expect(body.error.metadata).toEqual({
      error_type: 'server',
      docs_url: '/api/v1/docs#error-server',
    });
    expect(response.body).not.toContain('fire');
    expect(lines).toEqual([{ level: 'error', fields: { error: cause } }]);
  });

  test.each([
    ['knows a 503', true, 503, 'service_unavailable'],
    ['knows none', false, 500, 'server'],
  ])('because AWS is busy can be retried at a route that %s', (_, answers503, status, word) => {
    const busy = Object.assign(new Error('rate exceeded'), { name: 'ThrottlingException' });
    const { response, body } = map(busy, answers503);
    expect([response.status, response.headers['retry-after']]).toEqual([status, '2']);
    expect(body.error).toEqual({
      code: status,
      message: 'A service that Genway depends on is busy or unavailable; try again in a moment',
      metadata: { error_type: word, docs_url: `/api/v1/docs#error-${word}` },
    });
  });

  test('is logged as a failure from 500 on and as a refusal below', () => {
    expect(map(new ServiceUnavailable('Try again')).lines[0]?.level).toBe('error');
    expect(map(new InvalidRequest('no')).lines[0]?.level).toBe('info');
  });
});
