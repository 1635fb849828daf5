import { publicHandler } from '../gate/lambda.ts';
import type { Call } from '../http/call.ts';
import { MethodNotAllowed, NotFound } from '../http/errors.ts';
import type { ApiResponse } from '../http/response.ts';
import { type Route, routes } from '../http/routes.ts';

/**
 * Everything that no operation answers: unknown paths, known paths with another method, and browsers'
 * preflights. API Gateway's own answers to these would not carry our error body.
 */
export const handler = publicHandler(undefined, async (call) => answerUnrouted(call));

const PREFLIGHT_HEADERS = {
  'access-control-allow-headers':
    'authorization, content-type, idempotency-key, x-api-key, anthropic-version, anthropic-beta',
  'access-control-max-age': '86400',
};

function answerUnrouted({ method, pattern }: Call): ApiResponse {
  const allowed = Object.values<Route>(routes)
    .filter((route) => route.path === pattern)
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  if (allowed.length === 0) throw new NotFound('No such path; the API lives under /api/v1');
  const allow = [...allowed, 'OPTIONS'].join(', ');
  if (method === 'OPTIONS') {
    return {
      status: 204,
      headers: { ...PREFLIGHT_HEADERS, 'access-control-allow-methods': allow },
      body: '',
    };
  }
  throw new MethodNotAllowed(`${method} is not a method of this path; it takes ${allow}`, {
    headers: { allow },
  });
}
