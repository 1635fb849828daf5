/** What a key may do only so often: each class has a bucket of its own. */
export const LIMITED_CLASSES = ['upload', 'submit', 'read', 'admin'] as const;
export type LimitedClass = (typeof LIMITED_CLASSES)[number];

/**
 * Every operation of the API, as data: where it lives and which kind of credential it takes.
 *
 * The infrastructure builds one function a row, the gate enforces `access` and `limit`, the fallback
 * answers 405 from it and the tests generate the authorization matrix from it. An operation without a
 * row does not exist.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`, in API Gateway's notation. */
  readonly path: string;
  /** `key`: any live API key or management key. `management`: management keys only. */
  readonly access: 'public' | 'key' | 'management';
  /** The class in which a key's calls are counted; only operations that may answer 429 are limited. */
  readonly limit?: LimitedClass;
  /** Whether its table of statuses has a 503 for a service that is busy; else that is a 500. */
  readonly answers503?: true;
}

export const routes = {
  'create-key': { method: 'POST', path: '/keys', access: 'management', limit: 'admin' },
  'list-keys': { method: 'GET', path: '/keys', access: 'management', limit: 'read' },
  'get-key': { method: 'GET', path: '/keys/{hash}', access: 'management', limit: 'read' },
  'update-key': { method: 'PATCH', path: '/keys/{hash}', access: 'management', limit: 'admin' },
  'delete-key': { method: 'DELETE', path: '/keys/{hash}', access: 'management', limit: 'admin' },
  'get-current-key': { method: 'GET', path: '/key', access: 'key', limit: 'read' },
  'create-workspace': { method: 'POST', path: '/workspaces', access: 'management' },
  'list-workspaces': { method: 'GET', path: '/workspaces', access: 'management', limit: 'read' },
  'update-workspace': {
    method: 'PATCH',
    path: '/workspaces/{workspace}',
    access: 'management',
    limit: 'admin',
  },
  'get-workspace': { method: 'GET', path: '/workspaces/{workspace}', access: 'management', limit: 'read' },
  'delete-workspace': {
    method: 'DELETE',
    path: '/workspaces/{workspace}',
    access: 'management',
    limit: 'admin',
  },
  'list-budgets': {
    method: 'GET',
    path: '/workspaces/{workspace}/budgets',
    access: 'management',
    limit: 'read',
  },
  'get-budget': {
    method: 'GET',
    path: '/workspaces/{workspace}/budgets/{interval}',
    access: 'management',
    limit: 'read',
  },
  'put-budget': {
    method: 'PUT',
    path: '/workspaces/{workspace}/budgets/{interval}',
    access: 'management',
    limit: 'admin',
  },
  'delete-budget': {
    method: 'DELETE',
    path: '/workspaces/{workspace}/budgets/{interval}',
    access: 'management',
    limit: 'admin',
  },
  'get-workspace-webhook': {
    method: 'GET',
    path: '/workspaces/{workspace}/webhook',
    access: 'management',
    limit: 'read',
  },
  'put-workspace-webhook': {
    method: 'PUT',
    path: '/workspaces/{workspace}/webhook',
    access: 'management',
    limit: 'admin',
  },
  'delete-workspace-webhook': {
    method: 'DELETE',
    path: '/workspaces/{workspace}/webhook',
    access: 'management',
    limit: 'admin',
  },
  'rotate-webhook-secret': {
    method: 'POST',
    path: '/workspaces/{workspace}/webhook-secret/rotate',
    access: 'management',
    limit: 'admin',
  },
  'reveal-webhook-secret': {
    method: 'POST',
    path: '/workspaces/{workspace}/webhook-secret/reveal',
    access: 'management',
    limit: 'admin',
  },
  'get-workspace-broadcast': {
    method: 'GET',
    path: '/workspaces/{workspace}/broadcast',
    access: 'management',
    limit: 'read',
  },
  'put-workspace-broadcast': {
    method: 'PUT',
    path: '/workspaces/{workspace}/broadcast',
    access: 'management',
    limit: 'admin',
  },
  'delete-workspace-broadcast': {
    method: 'DELETE',
    path: '/workspaces/{workspace}/broadcast',
    access: 'management',
    limit: 'admin',
  },
  'test-workspace-broadcast': {
    method: 'POST',
    path: '/workspaces/{workspace}/broadcast/test',
    access: 'management',
    limit: 'admin',
  },
  'create-provider-key': { method: 'POST', path: '/byok', access: 'management', limit: 'admin' },
  'list-provider-keys': { method: 'GET', path: '/byok', access: 'management', limit: 'read' },
  'get-provider-key': { method: 'GET', path: '/byok/{id}', access: 'management', limit: 'read' },
  'update-provider-key': { method: 'PATCH', path: '/byok/{id}', access: 'management', limit: 'admin' },
  'delete-provider-key': { method: 'DELETE', path: '/byok/{id}', access: 'management', limit: 'admin' },
  'get-credits': { method: 'GET', path: '/credits', access: 'management', limit: 'read' },
  'grant-credits': { method: 'POST', path: '/credits', access: 'management', limit: 'admin' },
  'create-guardrail': { method: 'POST', path: '/guardrails', access: 'management', limit: 'admin' },
  'list-guardrails': { method: 'GET', path: '/guardrails', access: 'management', limit: 'read' },
  'get-guardrail': {
    method: 'GET',
    path: '/guardrails/{guardrail}',
    access: 'management',
    limit: 'read',
  },
  'update-guardrail': {
    method: 'PATCH',
    path: '/guardrails/{guardrail}',
    access: 'management',
    limit: 'admin',
  },
  'delete-guardrail': {
    method: 'DELETE',
    path: '/guardrails/{guardrail}',
    access: 'management',
    limit: 'admin',
  },
  'list-activity': { method: 'GET', path: '/activity', access: 'management', limit: 'read' },
  'get-generation': { method: 'GET', path: '/generation', access: 'key', limit: 'read' },
  'get-generation-content': {
    method: 'GET',
    path: '/generation/content',
    access: 'management',
    limit: 'read',
  },
  'list-audit': { method: 'GET', path: '/audit', access: 'management', limit: 'read' },
  'get-webhook-keys': { method: 'GET', path: '/.well-known/webhooks/jwks.json', access: 'public' },
  'test-workspace-webhook': {
    method: 'POST',
    path: '/workspaces/{workspace}/webhook/test',
    access: 'management',
    limit: 'admin',
  },
  'list-webhook-deliveries': {
    method: 'GET',
    path: '/workspaces/{workspace}/webhook-deliveries',
    access: 'management',
    limit: 'read',
  },
  'recover-webhook-deliveries': {
    method: 'POST',
    path: '/workspaces/{workspace}/webhook-deliveries/recover',
    access: 'management',
    limit: 'admin',
  },
  'redeliver-webhook-delivery': {
    method: 'POST',
    path: '/workspaces/{workspace}/webhook-deliveries/{delivery}/redeliver',
    access: 'management',
    limit: 'admin',
  },
  'upload-file': { method: 'POST', path: '/files', access: 'key', limit: 'upload', answers503: true },
  'list-files': { method: 'GET', path: '/files', access: 'key', limit: 'read', answers503: true },
  'get-file': { method: 'GET', path: '/files/{file}', access: 'key', limit: 'read', answers503: true },
  'delete-file': { method: 'DELETE', path: '/files/{file}', access: 'key', limit: 'read', answers503: true },
  'get-file-content': {
    method: 'GET',
    path: '/files/{file}/content',
    access: 'key',
    limit: 'read',
    answers503: true,
  },
  'list-endpoints': { method: 'GET', path: '/endpoints', access: 'management', limit: 'read' },
  'put-endpoint': {
    method: 'PUT',
    path: '/endpoints/{provider}/{name}',
    access: 'management',
    limit: 'admin',
  },
  'update-endpoint': {
    method: 'PATCH',
    path: '/endpoints/{provider}/{name}',
    access: 'management',
    limit: 'admin',
  },
  'delete-endpoint': {
    method: 'DELETE',
    path: '/endpoints/{provider}/{name}',
    access: 'management',
    limit: 'admin',
  },
  'submit-video': { method: 'POST', path: '/videos', access: 'key', limit: 'submit' },
  'estimate-video': { method: 'POST', path: '/videos/estimate', access: 'key', limit: 'submit' },
  'list-video-models': { method: 'GET', path: '/videos/models', access: 'public' },
  'list-videos': { method: 'GET', path: '/videos', access: 'key', limit: 'read' },
  'cancel-video': { method: 'POST', path: '/videos/{video}/cancel', access: 'key', limit: 'read' },
  'list-video-events': { method: 'GET', path: '/videos/{video}/events', access: 'key', limit: 'read' },
  'list-video-deliveries': {
    method: 'GET',
    path: '/videos/{video}/deliveries',
    access: 'key',
    limit: 'read',
  },
  'redeliver-video-webhook': {
    method: 'POST',
    path: '/videos/{video}/webhook/redeliver',
    access: 'key',
    limit: 'read',
  },
  'get-video': { method: 'GET', path: '/videos/{video}', access: 'key', limit: 'read' },
  'delete-video': { method: 'DELETE', path: '/videos/{video}', access: 'key', limit: 'read' },
  'get-video-content': { method: 'GET', path: '/videos/{video}/content', access: 'key', limit: 'read' },
  'get-openapi-json': { method: 'GET', path: '/openapi.json', access: 'public' },
  'get-openapi-yaml': { method: 'GET', path: '/openapi.yaml', access: 'public' },
  'get-docs': { method: 'GET', path: '/docs', access: 'public' },
  'get-docs-asset': { method: 'GET', path: '/docs/{asset}', access: 'public' },
} as const satisfies Record<string, Route>;

/** What changes something by the right of a management key, and is written down for that. */
export const isAudited = ({ access, method }: Route): boolean => access === 'management' && method !== 'GET';

export type RouteId = keyof typeof routes;

/** Those whose callers are known. */
export type KeyedRouteId = {
  [Id in RouteId]: (typeof routes)[Id]['access'] extends 'public' ? never : Id;
}[RouteId];

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

type PathTypes = { [Id in RouteId]: Readonly<Record<NamesIn<(typeof routes)[Id]['path']>, string>> };
/** An interface, because the compiler keeps `Paths[Id]` then, and sees what all of some routes name. */
interface Paths extends PathTypes {}

/** What the path of a route names, such as `{ video: string }`. */
export type PathOf<Id extends RouteId> = Paths[Id];

/** The routes whose path names such a thing: `RouteNaming<'video'>`. */
export type RouteNaming<Name extends string> = {
  [Id in RouteId]: Name extends keyof PathOf<Id> ? Id : never;
}[RouteId];

/** What a transport found where the pattern of a path has names. */
export type PathParameters = Readonly<Record<string, string | undefined>>;

/** Whether everything is there that the path of a route names. */
export function isPathOf<Id extends RouteId>(
  id: Id,
  path: PathParameters,
): path is PathParameters & PathOf<Id> {
  return [...routes[id].path.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => path[name] !== undefined);
}
