import type { AuthenticatedCall, Call } from '../http/call.ts';
import { NotFound } from '../http/errors.ts';
import { isPathOf, type KeyedRouteId, type PathOf, type PathParameters } from '../http/routes.ts';
import { deployedGuards } from './deployed.ts';
import { guarded, type Operation } from './gate.ts';
import { type LambdaHandler, lambdaHandler } from './lambda.ts';

/** The handler of the Lambda that serves one route: the credential is checked before anything is parsed. */
export function routeHandler<Id extends KeyedRouteId>(
  routeId: Id,
  operation: Operation<AuthenticatedCall<PathOf<Id>>>,
): LambdaHandler {
  const guards = deployedGuards(routeId);
  const operate = guarded<Call<PathParameters>>(routeId, guards, ({ path, ...call }) => {
    if (!isPathOf(routeId, path)) throw new NotFound('No such path; the API lives under /api/v1');
    return operation({ ...call, path });
  });
  return lambdaHandler(routeId, operate, () => guards.usesNoted());
}
