import { workspaceStore } from '../../deployed/stores.ts';
import { jobStore } from '../../deployed/videos.ts';
import type { LambdaHandler } from '../../gate/lambda.ts';
import { routeHandler } from '../../gate/route-handler.ts';
import type { AuthenticatedCall } from '../../http/call.ts';
import type { ApiResponse } from '../../http/response.ts';
import type { KeyedRoute, PathOf, RouteWith } from '../../http/routes.ts';
import { findVisibleJob } from '../../videos/jobs/find-job.ts';
import type { Job } from '../../videos/jobs/job.ts';

type JobRoute = KeyedRoute & RouteWith<'video'>;

/** The handler of a route with a job in its path. The operation gets the job, which the caller may see. */
export function jobHandler<const R extends JobRoute>(
  route: R,
  operation: (call: AuthenticatedCall<PathOf<R>>, job: Job) => Promise<ApiResponse>,
): LambdaHandler;
export function jobHandler(
  route: JobRoute,
  operation: (call: AuthenticatedCall<PathOf<JobRoute>>, job: Job) => Promise<ApiResponse>,
): LambdaHandler {
  const jobs = jobStore();
  const workspaces = workspaceStore();
  return routeHandler(route, async (call) => operation(call, await findVisibleJob(call, jobs, workspaces)));
}
