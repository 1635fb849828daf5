import type { OperationGroup } from './scope.ts';

/** A key's calls are limited by class; each class has a bucket of its own. */
export const LIMITED_CLASSES = ['upload', 'submit', 'read', 'admin'] as const;
export type LimitedClass = (typeof LIMITED_CLASSES)[number];

/**
 * Where an operation is, and which kind of key it needs. The definition of each area has a row for each of its
 * operations: `lib/` builds one function for each, the gate enforces `access` and `limit`, the fallback answers 405 from
 * them, and the tests generate the access matrix. Without a row an operation does not exist.
 */
export interface Route {
  /** The name of its handler's file, of its function and, in camel case, of its `operationId`. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`, in API Gateway's notation. */
  readonly path: string;
  /** `key`: any live API key or management key. `management`: management keys only. */
  readonly access: 'public' | 'key' | 'management';
  /** What a key must be permitted to do. Every operation with a key has one, or it does not compile. */
  readonly group?: OperationGroup;
  /** It concerns every workspace, so keys that are limited to some may not call it. */
  readonly concernsAll?: true;
  /** The class in which a key's calls are counted. Only operations that may answer 429 have one. */
  readonly limit?: LimitedClass;
  /**
   * Whether the audit trail has the calls of management keys: changes, and reads of what workspaces keep private.
   * @default every method but GET
   */
  readonly recorded?: boolean;
  /** Whether the operation may answer 503 when a service is busy; otherwise that is a 500. */
  readonly answers503?: true;
}

/** A route whose callers have a key. */
export type KeyedRoute = Route & {
  readonly access: 'key' | 'management';
  readonly group: OperationGroup;
};

/** A route that anyone may call. */
export type PublicRoute = Route & { readonly access: 'public' };

/** A route with such a parameter in its path: `RouteWith<'video'>`. */
export type RouteWith<Name extends string> = Route & { readonly path: `${string}{${Name}}${string}` };

type Row = Omit<KeyedRoute, 'id'> | Omit<PublicRoute, 'id'>;

export const managed = <const Method extends Route['method'], const Path extends string>(
  method: Method,
  path: Path,
  group: OperationGroup,
) => ({ method, path, access: 'management', limit: method === 'GET' ? 'read' : 'admin', group }) as const;

/** For management keys that are not limited to specific workspaces. */
export const managedForAll = <const Method extends Route['method'], const Path extends string>(
  method: Method,
  path: Path,
  group: OperationGroup,
) => ({ ...managed(method, path, group), concernsAll: true }) as const;

export const keyed = <const Method extends Route['method'], const Path extends string>(
  method: Method,
  path: Path,
  limit: LimitedClass,
  group: OperationGroup,
) => ({ method, path, access: 'key', limit, group }) as const;

export const open = <const Path extends string>(path: Path) =>
  ({ method: 'GET', path, access: 'public' }) as const;

/** The routes of an area, each of which knows its own name. */
export function routesOf<const Rows extends Readonly<Record<string, Row>>>(rows: Rows) {
  const named = Object.entries(rows).map(([id, row]) => [id, { id, ...row }]);
  return Object.fromEntries(named) as {
    readonly [Id in keyof Rows & string]: Rows[Id] & { readonly id: Id };
  };
}

/** Whether a management key can call it in a way that is written to the audit trail. */
export const isAudited = ({
  access,
  method,
  recorded = method !== 'GET',
}: Pick<Route, 'access' | 'method' | 'recorded'>): boolean => access !== 'public' && recorded;

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The parameters in the path of a route, such as `{ video: string }`. */
export type PathOf<R extends Route> = Readonly<Record<NamesIn<R['path']>, string>>;

/** The values that a transport found for the parameters of a path. */
export type PathParameters = Readonly<Record<string, string | undefined>>;

/** Whether all parameters of the route's path are there. */
export function isPathOf<R extends Route>(
  route: R,
  path: PathParameters,
): path is PathParameters & PathOf<R> {
  return [...route.path.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => path[name] !== undefined);
}
