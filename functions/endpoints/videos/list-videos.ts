import { routeHandler } from '../../gate/route-handler.ts';
import { query } from '../../http/call.ts';
import { invalidField } from '../../http/invalid-field.ts';
import { json } from '../../http/response.ts';
import { jobListQuery } from '../../videos/jobs/job-queries.ts';
import { actingWorkspace } from '../../workspaces/acting-workspace.ts';
import { workspaceStore } from '../workspaces/deployed.ts';
import { jobStore } from './deployed.ts';
import { shownJobs } from './shown-job.ts';

const jobs = jobStore();
const workspaces = workspaceStore();
const shownJob = shownJobs();

export const handler = routeHandler('list-videos', async (call) => {
  const { limit, cursor, since, until, workspace_id: named, ...filter } = query(call, jobListQuery);
  if (since !== undefined && until !== undefined && since > until) {
    throw invalidField(['since'], 'must not be after until');
  }
  const workspaceId = await actingWorkspace(call.principal, named, workspaces);
  const page = await jobs.list(workspaceId, { ...filter, since, until, before: cursor }, limit);
  return json(200, {
    data: await Promise.all(page.rows.map((job) => shownJob(job, call.publicUrl))),
    has_more: page.cursor !== null,
    cursor: page.cursor,
  });
});
