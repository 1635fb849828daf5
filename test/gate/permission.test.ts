import { describe, expect, test } from '@jest/globals';
import { routes } from '../../functions/endpoints/definitions.ts';
import { assertPermitted } from '../../functions/gate/permission.ts';
import { PermissionDenied } from '../../functions/http/errors.ts';
import type { KeyedRoute, Route } from '../../functions/http/routes.ts';
import { actedIn, mayActIn, OPERATION_GROUPS, type Scope, UNLIMITED } from '../../functions/http/scope.ts';
import { OPERATIONS_OF_API_KEYS } from '../../functions/keys/key-scope.ts';

const all: readonly Route[] = Object.values(routes);
const isKeyed = (route: Route): route is KeyedRoute => route.access !== 'public';
const keyed = all.filter(isKeyed);
const HERE = '203.0.113.9';

const principal = (scope: Partial<Scope>) => ({
  keyHash: 'k',
  kind: 'management' as const,
  workspaceId: 'w1',
  creator: 'k',
  rateLimits: {},
  scope: { ...UNLIMITED, ...scope },
  endsAt: null,
});
const ask = (scope: Partial<Scope>, route: KeyedRoute, address?: string) => () =>
  assertPermitted(principal(scope), route, address);

describe('a key', () => {
  test.each(keyed)('without a scope may call $id from anywhere', (route) => {
    expect(ask({}, route)).not.toThrow();
    expect(ask({}, route, HERE)).not.toThrow();
  });

  test.each(keyed)('may call $id with its group, and with every other it may not', (route) => {
    const others = OPERATION_GROUPS.filter((each) => each !== route.group);
    expect(ask({ operations: [route.group] }, route)).not.toThrow();
    expect(ask({ operations: others }, route)).toThrow(PermissionDenied);
    expect(ask({ operations: [] }, route)).toThrow(PermissionDenied);
  });

  test('may be used from its networks alone, and not from an unknown address', () => {
    const networks = ['198.51.100.0/24', '203.0.113.0/28'];
    const route = routes['get-current-key'];
    expect(ask({ networks }, route, HERE)).not.toThrow();
    expect(ask({ networks }, route, `::ffff:${HERE}`)).not.toThrow();
    expect(ask({ networks }, route, '203.0.113.16')).toThrow('not be used from this network');
    expect(ask({ networks }, route, undefined)).toThrow('not be used from this network');
    expect(ask({ networks: [] }, route, HERE)).toThrow(PermissionDenied);
  });

  test('that is limited to workspaces may not call what concerns all', () => {
    const concerning = keyed.filter(({ concernsAll }) => concernsAll).map(({ id }) => id);
    expect(concerning.sort()).toEqual([
      'create-workspace',
      'delete-endpoint',
      'get-analytics-meta',
      'get-credits',
      'grant-credits',
      'list-activity',
      'list-audit',
      'list-endpoints',
      'put-endpoint',
      'query-analytics',
      'update-endpoint',
    ]);
    expect(ask({ workspaces: ['w1'] }, routes['list-audit'])).toThrow(
      'This key lacks permission: its scope must not be limited to specific workspaces',
    );
    expect(ask({ workspaces: ['w1'] }, routes['get-workspace'])).not.toThrow();
  });
});

test('a person who has signed in is told of the account, not of a key', () => {
  const person = { ...principal({ networks: [] }), session: { hash: 's', endsAt: '', subject: 'someone' } };
  expect(() => assertPermitted(person, routes['list-keys'], HERE)).toThrow(/^This account may not/);
});

test('API keys have the groups of the routes that they may call', () => {
  const groups = new Set(keyed.filter(({ access }) => access === 'key').map(({ group }) => group));
  expect([...groups].sort()).toEqual([...OPERATIONS_OF_API_KEYS].sort());
});

test('only a read is in the group `read`', () => {
  const changing = keyed.filter(({ method, group }) => method !== 'GET' && group === 'read');
  expect(changing.map(({ id }) => id)).toEqual([
    'estimate-video',
    // A session may do no more than its key.
    'create-session',
    'renew-session',
    'end-session',
    // Whoever decides needs the group of the change that waits, too.
    'approve-change',
    'refuse-change',
    'query-analytics',
  ]);
});

test('a request acted where the caller was let in, or else in its own workspace', () => {
  const caller = principal({ workspaces: ['w2'] });
  expect(actedIn(caller)).toBe(caller.workspaceId);
  mayActIn(caller, 'w2');
  mayActIn(caller, 'w3');
  expect(actedIn(caller)).toBe('w2');
  expect(actedIn({ ...caller })).toBe(caller.workspaceId);
});

test('an API key acts in its own workspace, a management key in those of its scope', () => {
  const apiKey = { kind: 'normal', workspaceId: 'w1', scope: UNLIMITED } as const;
  expect([mayActIn(apiKey, 'w1'), mayActIn(apiKey, 'w2')]).toEqual([true, false]);
  expect([mayActIn(principal({}), 'w1'), mayActIn(principal({}), 'w2')]).toEqual([true, true]);
  const limited = principal({ workspaces: ['w2'] });
  expect([mayActIn(limited, 'w1'), mayActIn(limited, 'w2')]).toEqual([false, true]);
});
