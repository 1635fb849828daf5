import { describe, expect, test } from '@jest/globals';
import { routes } from '../../functions/endpoints/definitions.ts';
import { isPathOf, type KeyedRoute, type PathOf, type Route, routesOf } from '../../functions/http/routes.ts';

test('every route that needs a key has a rate, except the one without a 429 and the end of a session', () => {
  const unlimited = Object.entries<Route>(routes)
    .filter(([, { access, limit }]) => access !== 'public' && limit === undefined)
    .map(([id]) => id);
  expect(unlimited.toSorted()).toEqual(['create-workspace', 'end-session']);
});

test('no route without a key has a rate, because there is no key to count for', () => {
  const limited = Object.values<Route>(routes).filter(
    ({ access, limit }) => access === 'public' && limit !== undefined,
  );
  expect(limited).toEqual([]);
});

test('only routes of files and uploads, and the deletion of a workspace with its files, answer 503', () => {
  const paths = Object.values<Route>(routes)
    .filter(({ answers503 }) => answers503)
    .map(({ path }) => path);
  const files = ['/files', '/files/{file}', '/files/{file}/content'];
  const uploads = ['', '/{upload}/parts', '/{upload}/complete', '/{upload}/cancel'].map(
    (path) => `/uploads${path}`,
  );
  expect(new Set(paths)).toEqual(new Set([...files, ...uploads, '/workspaces/{workspace}']));
});

test('a route that needs a key does not compile without its group of operations', () => {
  const row = { method: 'GET', path: '/x', access: 'key' } as const;
  // @ts-expect-error: no group
  expect(routesOf({ x: row }).x.id).toBe('x');
  expect(routesOf({ x: { ...row, group: 'read' } }).x.group).toBe('read');
});

describe('a path parameter', () => {
  test.each([
    ['get-video', { video: 'v' }, true],
    ['get-video', { file: 'v' }, false],
    ['get-video', { video: undefined }, false],
    ['get-budget', { workspace: 'w', interval: 'daily' }, true],
    ['get-budget', { workspace: 'w' }, false],
    ['list-videos', {}, true],
  ] as const)('of %s is found in %j: %s', (id, path, isThere) => {
    expect(isPathOf(routes[id], path)).toBe(isThere);
  });

  test('is known to the compiler', () => {
    const path: PathOf<(typeof routes)['get-budget']> = { workspace: 'w', interval: 'daily' };
    // @ts-expect-error: no such name in this path
    expect(path.video).toBeUndefined();
    // @ts-expect-error: a route without a key has no guards
    const route: KeyedRoute = routes['list-video-models'];
    expect(route.access).toBe('public');
  });
});
