import { publicHandler } from '../deployed/gate.ts';
import type { Headers } from '../http/call.ts';
import { MethodNotAllowed, NotFound, UNKNOWN_PATH } from '../http/errors.ts';
import type { Route } from '../http/routes.ts';
import { suggestion } from '../http/unknown-names.ts';
import { routes } from './definitions.ts';

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
  throw new MethodNotAllowed(`This path does not support ${method}; supported: ${allow}`, {
    headers: { allow },
  });
});

const methodsOf = (pattern: string): string[] =>
  Object.values<Route>(routes)
    .filter((route) => route.path === pattern)
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));

const PATHS = Object.values<Route>(routes).map(({ path }) => path.slice(1));

/** What clients made for other services call, and this one does not do on purpose, by a part of its path. */
const NOT_OFFERED: ReadonlyMap<string, string> = new Map([
  ['members', 'Genway has keys instead of users, so it has no members. Create a key for each person'],
  ['feedback', 'Genway does not accept feedback on generations'],
]);

/** @param asked as the caller wrote it, without the first slash */
function noSuchPath(asked: string): NotFound {
  const why = asked.split('/').flatMap((part) => NOT_OFFERED.get(part) ?? []);
  if (why.length > 0) return new NotFound(`Unknown path. ${why[0]}`);
  const meant = suggestion(asked.replace(/^(api\/)?(v1\/)?/, '').replace(/\/$/, ''), PATHS);
  const hint = meant === undefined ? '' : `. Did you mean /api/v1/${meant}?`;
  return new NotFound(`${UNKNOWN_PATH}${hint}`);
}

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
