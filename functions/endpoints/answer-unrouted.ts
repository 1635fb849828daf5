import { publicHandler } from '../gate/lambda.ts';
import { MethodNotAllowed } from '../http/errors.ts';
import { noSuchPath } from '../http/no-such-path.ts';
import { preflightHeaders } from '../http/preflight.ts';
import { type Route, routes } from '../http/routes.ts';

/**
 * Answers what no operation does: unknown paths, known paths with another method, and browsers' preflights. API
 * Gateway's own answers to these would not have our error body.
 */
export const handler = publicHandler(undefined, async ({ method, pattern, path, headers }) => {
  const allowed = methodsOf(pattern);
  // The gateway passes a pattern of its own for all other paths.
  if (allowed.length === 0) throw noSuchPath(path.proxy ?? '');
  const allow = [...allowed, 'OPTIONS'].join(', ');
  if (method === 'OPTIONS') {
    const answer = { ...preflightHeaders(headers), 'access-control-allow-methods': allow };
    return { status: 204, headers: answer, body: '' };
  }
  throw new MethodNotAllowed(`${method} is not a method of this path; it takes ${allow}`, {
    headers: { allow },
  });
});

const methodsOf = (pattern: string): string[] =>
  Object.values<Route>(routes)
    .filter((route) => route.path === pattern)
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
