import type { AuthenticatedCall } from './call.ts';
import { keyAuthenticator } from './key-authenticator.ts';
import { type LambdaHandler, type Middleware, pipeline } from './pipeline.ts';
import type { ApiResponse } from './response.ts';
import { type RouteId, routes } from './routes.ts';

/** The handler of the Lambda that serves one route: the credential is checked before anything is parsed. */
export function routeHandler(
  routeId: RouteId,
  operation: (call: AuthenticatedCall) => Promise<ApiResponse>,
): LambdaHandler {
  return pipeline([authentication(routeId)], (context) => {
    if (context.principal === undefined) throw new Error(`${routeId} is public; it has no caller`);
    return operation({ ...context.call, principal: context.principal });
  });
}

function authentication(routeId: RouteId): Middleware {
  const authenticator = keyAuthenticator();
  const usesNoted = () => authenticator.usesNoted();
  return {
    after: usesNoted,
    onError: usesNoted,
    before: async ({ context }) => {
      context.principal = await authenticator.authenticate(context.call.headers, routes[routeId].access);
    },
  };
}
