import { publicHandler } from '../gate/lambda.ts';
import type { Call, Headers } from '../http/call.ts';
import { suggestion } from '../http/did-you-mean.ts';
import { MethodNotAllowed, NotFound } from '../http/errors.ts';
import { isObject } from '../http/json-body.ts';
import type { ApiResponse } from '../http/response.ts';
import { type Route, routes } from '../http/routes.ts';

/**
 * Answers what no operation does: unknown paths, known paths with another method, and browsers' preflights. API
 * Gateway's own answers to these would not have our error body.
 */
export const handler = publicHandler(undefined, async (call) => answerUnrouted(call));

/** Names of headers, with commas between. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~-]+(, *[\w!#$%&'*+.^`|~-]+)*$/;
const LONGEST_NAMES = 2000;

/** Browsers ask about every header that a page's client adds; `*` would not include Authorization. */
function preflightHeaders({ 'access-control-request-headers': asked = '' }: Headers) {
  const others = asked.length <= LONGEST_NAMES && HEADER_NAMES.test(asked) ? asked : '*';
  return {
    'access-control-allow-headers': `authorization, ${others}`,
    'access-control-max-age': '86400',
  };
}

const PATHS = Object.values<Route>(routes).map(({ path }) => path.slice(1));

/** The request's path has no pattern, because the gateway passes its own for all paths. */
function noSuchPath(path: unknown): NotFound {
  const asked = isObject(path) && typeof path.proxy === 'string' ? path.proxy : '';
  const meant = suggestion(asked.replace(/^(api\/)?(v1\/)?/, '').replace(/\/$/, ''), PATHS);
  const hint = meant === undefined ? '' : `; did you mean /api/v1/${meant}?`;
  return new NotFound(`No such path; the API lives under /api/v1${hint}`);
}

function answerUnrouted({ method, pattern, path, headers }: Call): ApiResponse {
  const allowed = Object.values<Route>(routes)
    .filter((route) => route.path === pattern)
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  if (allowed.length === 0) throw noSuchPath(path);
  const allow = [...allowed, 'OPTIONS'].join(', ');
  if (method === 'OPTIONS') {
    return {
      status: 204,
      headers: { ...preflightHeaders(headers), 'access-control-allow-methods': allow },
      body: '',
    };
  }
  throw new MethodNotAllowed(`${method} is not a method of this path; it takes ${allow}`, {
    headers: { allow },
  });
}
