import type { AuthenticatedCall } from '../http/call.ts';
import { isAudited, type KeyedRoute, type PathOf } from '../http/routes.ts';
import { deployedGate, recorder } from './deployed.ts';
import { type Operation, serve } from './gate.ts';
import { type LambdaHandler, lambdaHandler } from './lambda.ts';

/** The handler of the Lambda that serves one route. It checks the credential before it parses anything. */
export function routeHandler<const R extends KeyedRoute>(
  route: R,
  operation: Operation<AuthenticatedCall<PathOf<R>>>,
): LambdaHandler {
  const { usesNoted, ...deployed } = deployedGate(route);
  const gate = isAudited(route) ? { ...deployed, record: recorder(route) } : deployed;
  return lambdaHandler(gate.entrance, async (call) => {
    const answer = await serve(route, call, gate, operation);
    // Lambda freezes the instance once it has answered.
    await usesNoted();
    return answer;
  });
}
