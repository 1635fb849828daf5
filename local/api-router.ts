import type { EdgeRouter } from './edge.ts';

/**
 * Sends `/api/…` to the deployed REST API, whose stage is `api`, in the emulator's path form of
 * `https://{id}.execute-api.{region}.amazonaws.com/api/…`.
 */
export function apiRouter(endpoint: string, apiId: string): EdgeRouter {
  return ({ url = '/' }) =>
    url.startsWith('/api/')
      ? { upstream: { origin: endpoint, path: `/_aws/execute-api/${apiId}${url}` } }
      : {
          error: {
            status: 404,
            errorType: 'not_found',
            message: 'No such path; the API lives under /api/v1',
          },
        };
}
