/** A key's calls are limited by class; each class has a bucket of its own. */
export const LIMITED_CLASSES = ['upload', 'submit', 'read', 'admin'] as const;
export type LimitedClass = (typeof LIMITED_CLASSES)[number];

/**
 * Every operation of the API, as data: where it is, and which kind of key it needs.
 *
 * `lib/` builds one function for each row, the gate enforces `access` and `limit`, the fallback answers 405 from it,
 * and the tests generate the access matrix from it. Without a row an operation does not exist.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`, in API Gateway's notation. */
  readonly path: string;
  /** `key`: any live API key or management key. `management`: management keys only. */
  readonly access: 'public' | 'key' | 'management';
  /** The class in which a key's calls are counted. Only operations that may answer 429 have one. */
  readonly limit?: LimitedClass;
  /** Whether the operation may answer 503 when a service is busy; otherwise that is a 500. */
  readonly answers503?: true;
}

const managed = <const Method extends Route['method'], const Path extends string>(
  method: Method,
  path: Path,
) => ({ method, path, access: 'management', limit: method === 'GET' ? 'read' : 'admin' }) as const;

const keyed = <const Method extends Route['method'], const Path extends string>(
  method: Method,
  path: Path,
  limit: LimitedClass,
) => ({ method, path, access: 'key', limit }) as const;

const open = <const Path extends string>(path: Path) => ({ method: 'GET', path, access: 'public' }) as const;

export const routes = {
  'create-key': managed('POST', '/keys'),
  'list-keys': managed('GET', '/keys'),
  'get-key': managed('GET', '/keys/{hash}'),
  'update-key': managed('PATCH', '/keys/{hash}'),
  'delete-key': managed('DELETE', '/keys/{hash}'),
  'get-current-key': keyed('GET', '/key', 'read'),
  // The only one with a key and without a limit: its table of statuses has no 429.
  'create-workspace': { method: 'POST', path: '/workspaces', access: 'management' },
  'list-workspaces': managed('GET', '/workspaces'),
  'update-workspace': managed('PATCH', '/workspaces/{workspace}'),
  'get-workspace': managed('GET', '/workspaces/{workspace}'),
  'delete-workspace': managed('DELETE', '/workspaces/{workspace}'),
  'list-budgets': managed('GET', '/workspaces/{workspace}/budgets'),
  'get-budget': managed('GET', '/workspaces/{workspace}/budgets/{interval}'),
  'put-budget': managed('PUT', '/workspaces/{workspace}/budgets/{interval}'),
  'delete-budget': managed('DELETE', '/workspaces/{workspace}/budgets/{interval}'),
  'get-workspace-webhook': managed('GET', '/workspaces/{workspace}/webhook'),
  'put-workspace-webhook': managed('PUT', '/workspaces/{workspace}/webhook'),
  'delete-workspace-webhook': managed('DELETE', '/workspaces/{workspace}/webhook'),
  'rotate-webhook-secret': managed('POST', '/workspaces/{workspace}/webhook-secret/rotate'),
  'reveal-webhook-secret': managed('POST', '/workspaces/{workspace}/webhook-secret/reveal'),
  'get-workspace-broadcast': managed('GET', '/workspaces/{workspace}/broadcast'),
  'put-workspace-broadcast': managed('PUT', '/workspaces/{workspace}/broadcast'),
  'delete-workspace-broadcast': managed('DELETE', '/workspaces/{workspace}/broadcast'),
  'test-workspace-broadcast': managed('POST', '/workspaces/{workspace}/broadcast/test'),
  'create-provider-key': managed('POST', '/byok'),
  'list-provider-keys': managed('GET', '/byok'),
  'get-provider-key': managed('GET', '/byok/{id}'),
  'update-provider-key': managed('PATCH', '/byok/{id}'),
  'delete-provider-key': managed('DELETE', '/byok/{id}'),
  'get-credits': managed('GET', '/credits'),
  'grant-credits': managed('POST', '/credits'),
  'create-guardrail': managed('POST', '/guardrails'),
  'list-guardrails': managed('GET', '/guardrails'),
  'get-guardrail': managed('GET', '/guardrails/{guardrail}'),
  'update-guardrail': managed('PATCH', '/guardrails/{guardrail}'),
  'delete-guardrail': managed('DELETE', '/guardrails/{guardrail}'),
  'list-activity': managed('GET', '/activity'),
  'get-generation': keyed('GET', '/generation', 'read'),
  'get-generation-content': managed('GET', '/generation/content'),
  'list-audit': managed('GET', '/audit'),
  'get-webhook-keys': open('/.well-known/webhooks/jwks.json'),
  'test-workspace-webhook': managed('POST', '/workspaces/{workspace}/webhook/test'),
  'list-webhook-deliveries': managed('GET', '/workspaces/{workspace}/webhook-deliveries'),
  'recover-webhook-deliveries': managed('POST', '/workspaces/{workspace}/webhook-deliveries/recover'),
  'redeliver-webhook-delivery': managed(
    'POST',
    '/workspaces/{workspace}/webhook-deliveries/{delivery}/redeliver',
  ),
  'upload-file': { ...keyed('POST', '/files', 'upload'), answers503: true },
  'list-files': { ...keyed('GET', '/files', 'read'), answers503: true },
  'get-file': { ...keyed('GET', '/files/{file}', 'read'), answers503: true },
  'delete-file': { ...keyed('DELETE', '/files/{file}', 'read'), answers503: true },
  'get-file-content': { ...keyed('GET', '/files/{file}/content', 'read'), answers503: true },
  'list-endpoints': managed('GET', '/endpoints'),
  'put-endpoint': managed('PUT', '/endpoints/{provider}/{name}'),
  'update-endpoint': managed('PATCH', '/endpoints/{provider}/{name}'),
  'delete-endpoint': managed('DELETE', '/endpoints/{provider}/{name}'),
  'submit-video': keyed('POST', '/videos', 'submit'),
  'estimate-video': keyed('POST', '/videos/estimate', 'submit'),
  'list-video-models': open('/videos/models'),
  'list-videos': keyed('GET', '/videos', 'read'),
  'cancel-video': keyed('POST', '/videos/{video}/cancel', 'read'),
  'list-video-events': keyed('GET', '/videos/{video}/events', 'read'),
  'list-video-deliveries': keyed('GET', '/videos/{video}/deliveries', 'read'),
  'redeliver-video-webhook': keyed('POST', '/videos/{video}/webhook/redeliver', 'read'),
  'get-video': keyed('GET', '/videos/{video}', 'read'),
  'delete-video': keyed('DELETE', '/videos/{video}', 'read'),
  'get-video-content': keyed('GET', '/videos/{video}/content', 'read'),
  'get-openapi-json': open('/openapi.json'),
  'get-openapi-yaml': open('/openapi.yaml'),
  'get-docs': open('/docs'),
  'get-docs-asset': open('/docs/{asset}'),
} as const satisfies Record<string, Route>;

/** Changes made with a management key are written to the audit trail. */
export const isAudited = ({ access, method }: Route): boolean => access === 'management' && method !== 'GET';

export type RouteId = keyof typeof routes;

/** Routes whose callers have a key. */
export type KeyedRouteId = {
  [Id in RouteId]: (typeof routes)[Id]['access'] extends 'public' ? never : Id;
}[RouteId];

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

type PathTypes = { [Id in RouteId]: Readonly<Record<NamesIn<(typeof routes)[Id]['path']>, string>> };
/** An interface, because then the compiler keeps `Paths[Id]`, and knows which parameters several routes share. */
interface Paths extends PathTypes {}

/** The parameters in the path of a route, such as `{ video: string }`. */
export type PathOf<Id extends RouteId> = Paths[Id];

/** The routes with such a parameter in their path: `RouteNaming<'video'>`. */
export type RouteNaming<Name extends string> = {
  [Id in RouteId]: Name extends keyof PathOf<Id> ? Id : never;
}[RouteId];

/** The values that a transport found for the parameters of a path. */
export type PathParameters = Readonly<Record<string, string | undefined>>;

/** Whether all parameters of the route's path are there. */
export function isPathOf<Id extends RouteId>(
  id: Id,
  path: PathParameters,
): path is PathParameters & PathOf<Id> {
  return [...routes[id].path.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => path[name] !== undefined);
}
