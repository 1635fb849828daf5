import { type AuthenticatedCall, query } from '../../http/call.ts';
import { NotFound } from '../../http/errors.ts';
import { type ByIdOrSlug, lookUp } from '../../workspaces/find-workspace.ts';
import { type Job, VIDEO_ID } from './job.ts';
import { jobQuery } from './job-queries.ts';
import type { JobStore } from './job-store.ts';

/**
 * The job that a path names, if the caller may see it, and if it belongs to the workspace that the query names, if any.
 * The answer is the same for somebody else's job and for one that does not exist.
 */
export async function findVisibleJob(
  call: AuthenticatedCall<{ video: string }>,
  jobs: Pick<JobStore, 'look'>,
  workspaces: ByIdOrSlug<{ readonly id: string }>,
  notFound: () => NotFound = jobNotFound,
): Promise<Job> {
  const { path, principal } = call;
  const job = VIDEO_ID.test(path.video) ? await jobs.look(path.video) : undefined;
  const isVisible =
    principal.kind === 'management' || (job !== undefined && job.workspace_id === principal.workspaceId);
  if (job === undefined || !isVisible) throw notFound();
  const { workspace_id: named = job.workspace_id } = query(call, jobQuery);
  if (named.toLowerCase() !== job.workspace_id) {
    const workspace = await lookUp(workspaces, named);
    if (workspace?.id !== job.workspace_id) throw notFound();
  }
  return job;
}

const jobNotFound = () => new NotFound('No such video job');
