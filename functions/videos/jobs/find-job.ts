import type { AuthenticatedCall } from '../../http/call.ts';
import { NotFound } from '../../http/errors.ts';
import { type Job, VIDEO_ID } from './job.ts';
import type { JobStore } from './job-store.ts';

/** The job that a path names, if the caller may see it. A foreign one and an unknown one answer alike. */
export async function findVisibleJob(
  { path, principal }: AuthenticatedCall<{ video: string }>,
  jobs: Pick<JobStore, 'find'>,
): Promise<Job> {
  const job = VIDEO_ID.test(path.video) ? await jobs.find(path.video) : undefined;
  const isVisible =
    principal.kind === 'management' || (job !== undefined && job.workspace_id === principal.workspaceId);
  if (job === undefined || !isVisible) throw new NotFound('No such video job');
  return job;
}
