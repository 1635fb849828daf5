import type { AuthenticatedCall, Call } from '../http/call.ts';
import { NotFound } from '../http/errors.ts';
import {
  isAudited,
  isPathOf,
  type KeyedRouteId,
  type PathOf,
  type PathParameters,
  routes,
} from '../http/routes.ts';
import { audited } from './auditing.ts';
import { deployedAudit, deployedGuards } from './deployed.ts';
import { guarded, type Operation } from './gate.ts';
import { type LambdaHandler, lambdaHandler } from './lambda.ts';

/** The handler of the Lambda that serves one route. It checks the credential before it parses anything. */
export function routeHandler<Id extends KeyedRouteId>(
  routeId: Id,
  operation: Operation<AuthenticatedCall<PathOf<Id>>>,
): LambdaHandler {
  const guards = deployedGuards(routeId);
  const answer = async ({ path, ...call }: AuthenticatedCall<PathParameters>) => {
    if (!isPathOf(routeId, path)) throw new NotFound('No such path; the API lives under /api/v1');
    return operation({ ...call, path });
  };
  const recorded = isAudited(routes[routeId]) ? audited(routeId, answer, deployedAudit()) : answer;
  return lambdaHandler(routeId, guarded<Call<PathParameters>>(routeId, guards, recorded), () =>
    guards.usesNoted(),
  );
}
