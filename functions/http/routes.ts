/** What a key may do only so often: each class has a bucket of its own. */
export const LIMITED_CLASSES = ['upload', 'submit', 'read', 'admin'] as const;
export type LimitedClass = (typeof LIMITED_CLASSES)[number];

/**
 * Every operation of the API, as data: where it lives and which kind of credential it takes.
 *
 * The infrastructure builds one function a row, the request pipeline enforces `access`, the fallback
 * answers 405 from it and the tests generate the authorization matrix from it. An operation without a
 * row does not exist.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`, in API Gateway's notation. */
  readonly path: string;
  /** `key`: any live API key or management key. `management`: management keys only. */
  readonly access: 'public' | 'key' | 'management';
  /** Only operations that may answer 429 are limited. */
  readonly limit?: LimitedClass;
}

export const routes = {
  'create-key': { method: 'POST', path: '/keys', access: 'management', limit: 'admin' },
  'list-keys': { method: 'GET', path: '/keys', access: 'management', limit: 'admin' },
  'get-key': { method: 'GET', path: '/keys/{hash}', access: 'management', limit: 'admin' },
  'update-key': { method: 'PATCH', path: '/keys/{hash}', access: 'management', limit: 'admin' },
  'delete-key': { method: 'DELETE', path: '/keys/{hash}', access: 'management', limit: 'admin' },
  'get-current-key': { method: 'GET', path: '/key', access: 'key' },
  'create-workspace': { method: 'POST', path: '/workspaces', access: 'management' },
  'list-workspaces': { method: 'GET', path: '/workspaces', access: 'management' },
  'update-workspace': { method: 'PATCH', path: '/workspaces/{workspace}', access: 'management' },
  'get-workspace': { method: 'GET', path: '/workspaces/{workspace}', access: 'management' },
  'delete-workspace': { method: 'DELETE', path: '/workspaces/{workspace}', access: 'management' },
  'list-budgets': { method: 'GET', path: '/workspaces/{workspace}/budgets', access: 'management' },
  'get-budget': { method: 'GET', path: '/workspaces/{workspace}/budgets/{interval}', access: 'management' },
  'put-budget': { method: 'PUT', path: '/workspaces/{workspace}/budgets/{interval}', access: 'management' },
  'delete-budget': {
    method: 'DELETE',
    path: '/workspaces/{workspace}/budgets/{interval}',
    access: 'management',
  },
  'get-workspace-webhook': { method: 'GET', path: '/workspaces/{workspace}/webhook', access: 'management' },
  'put-workspace-webhook': { method: 'PUT', path: '/workspaces/{workspace}/webhook', access: 'management' },
  'delete-workspace-webhook': {
    method: 'DELETE',
    path: '/workspaces/{workspace}/webhook',
    access: 'management',
  },
  'rotate-webhook-secret': {
    method: 'POST',
    path: '/workspaces/{workspace}/webhook-secret/rotate',
    access: 'management',
  },
  'create-provider-key': { method: 'POST', path: '/byok', access: 'management' },
  'list-provider-keys': { method: 'GET', path: '/byok', access: 'management' },
  'get-provider-key': { method: 'GET', path: '/byok/{id}', access: 'management' },
  'update-provider-key': { method: 'PATCH', path: '/byok/{id}', access: 'management' },
  'delete-provider-key': { method: 'DELETE', path: '/byok/{id}', access: 'management' },
  'get-credits': { method: 'GET', path: '/credits', access: 'management' },
  'grant-credits': { method: 'POST', path: '/credits', access: 'management' },
  'get-webhook-keys': { method: 'GET', path: '/.well-known/webhooks/jwks.json', access: 'public' },
  'test-workspace-webhook': {
    method: 'POST',
    path: '/workspaces/{workspace}/webhook/test',
    access: 'management',
  },
  'list-webhook-deliveries': {
    method: 'GET',
    path: '/workspaces/{workspace}/webhook-deliveries',
    access: 'management',
  },
  'recover-webhook-deliveries': {
    method: 'POST',
    path: '/workspaces/{workspace}/webhook-deliveries/recover',
    access: 'management',
  },
  'redeliver-webhook-delivery': {
    method: 'POST',
    path: '/workspaces/{workspace}/webhook-deliveries/{delivery}/redeliver',
    access: 'management',
  },
  'upload-file': { method: 'POST', path: '/files', access: 'key', limit: 'upload' },
  'list-files': { method: 'GET', path: '/files', access: 'key', limit: 'read' },
  'get-file': { method: 'GET', path: '/files/{file}', access: 'key', limit: 'read' },
  'delete-file': { method: 'DELETE', path: '/files/{file}', access: 'key', limit: 'read' },
  'get-file-content': { method: 'GET', path: '/files/{file}/content', access: 'key', limit: 'read' },
  'submit-video': { method: 'POST', path: '/videos', access: 'key', limit: 'submit' },
  'list-video-models': { method: 'GET', path: '/videos/models', access: 'public' },
  'list-videos': { method: 'GET', path: '/videos', access: 'key' },
  'cancel-video': { method: 'POST', path: '/videos/{video}/cancel', access: 'key' },
  'list-video-events': { method: 'GET', path: '/videos/{video}/events', access: 'key' },
  'list-video-deliveries': { method: 'GET', path: '/videos/{video}/deliveries', access: 'key' },
  'redeliver-video-webhook': {
    method: 'POST',
    path: '/videos/{video}/webhook/redeliver',
    access: 'key',
  },
  'get-video': { method: 'GET', path: '/videos/{video}', access: 'key' },
  'get-video-content': { method: 'GET', path: '/videos/{video}/content', access: 'key' },
} as const satisfies Record<string, Route>;

export type RouteId = keyof typeof routes;
