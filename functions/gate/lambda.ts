import type { AuthenticatedCall } from '../http/call.ts';
import type { ApiResponse } from '../http/response.ts';
import { type RouteId, routes } from '../http/routes.ts';
import { keyAuthenticator } from './key-authenticator.ts';
import { type LambdaHandler, type Middleware, pipeline } from './pipeline.ts';
import { routeLimiter } from './rate-limit/route-limiter.ts';

/** The handler of the Lambda that serves one route: the credential is checked before anything is parsed. */
export function routeHandler(
  routeId: RouteId,
  operation: (call: AuthenticatedCall) => Promise<ApiResponse>,
): LambdaHandler {
  return pipeline([authentication(routeId), ...rateLimiting(routeId)], (context) => {
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

/** After authentication: an unknown key has no bucket that it could empty. */
function rateLimiting(routeId: RouteId): Middleware[] {
  const takeToken = routeLimiter(routeId);
  if (takeToken === undefined) return [];
  return [
    {
      before: async ({ context }) => {
        if (context.principal !== undefined) context.answerHeaders = await takeToken(context.principal);
      },
    },
  ];
}
