import type { LambdaHandler } from '../../gate/lambda.ts';
import { routeHandler } from '../../gate/route-handler.ts';
import type { AuthenticatedCall } from '../../http/call.ts';
import type { ApiResponse } from '../../http/response.ts';
import type { KeyedRouteId, PathOf, RouteNaming } from '../../http/routes.ts';
import { findVisibleJob } from '../../videos/jobs/find-job.ts';
import type { Job } from '../../videos/jobs/job.ts';
import { workspaceStore } from '../workspaces/deployed.ts';
import { jobStore } from './deployed.ts';

/** The handler of a route with a job in its path. The operation gets the job, which the caller may see. */
export function jobHandler<Id extends KeyedRouteId & RouteNaming<'video'>>(
  routeId: Id,
  operation: (call: AuthenticatedCall<PathOf<Id>>, job: Job) => Promise<ApiResponse>,
): LambdaHandler {
  const jobs = jobStore();
  const workspaces = workspaceStore();
  return routeHandler(routeId, async (call) => operation(call, await findVisibleJob(call, jobs, workspaces)));
}
