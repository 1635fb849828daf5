import type { AuthenticatedCall, Call } from '../http/call.ts';
import { NotFound } from '../http/errors.ts';
import { isAudited, isPathOf, type KeyedRoute, type PathOf, type PathParameters } from '../http/routes.ts';
import { audited } from './auditing.ts';
import { deployedAudit, deployedGuards } from './deployed.ts';
import { guarded, type Operation } from './gate.ts';
import { type LambdaHandler, lambdaHandler } from './lambda.ts';

/** The handler of the Lambda that serves one route. It checks the credential before it parses anything. */
export function routeHandler<const R extends KeyedRoute>(
  route: R,
  operation: Operation<AuthenticatedCall<PathOf<R>>>,
): LambdaHandler {
  const guards = deployedGuards(route);
  const answer = async ({ path, ...call }: AuthenticatedCall<PathParameters>) => {
    if (!isPathOf(route, path)) throw new NotFound('No such path; the API lives under /api/v1');
    return operation({ ...call, path });
  };
  const recorded = isAudited(route) ? audited(route.id, answer, deployedAudit()) : answer;
  return lambdaHandler(route, guarded<Call<PathParameters>>(route, guards, recorded), () =>
    guards.usesNoted(),
  );
}
