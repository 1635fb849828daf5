import { routeHandler } from '../../gate/route-handler.ts';
import { invalidField } from '../../http/invalid-field.ts';
import { isOpenaiClient } from '../../http/openai-client.ts';
import { query } from '../../http/query.ts';
import { json } from '../../http/response.ts';
import { describeOpenaiVideos } from '../../videos/dialect/openai-video.ts';
import { jobListQuery } from '../../videos/jobs/job-queries.ts';
import { actingWorkspace } from '../../workspaces/acting-workspace.ts';
import { workspaceStore } from '../workspaces/deployed.ts';
import { jobStore } from './deployed.ts';
import { shownJobs } from './shown-job.ts';

const jobs = jobStore();
const workspaces = workspaceStore();
const shownJob = shownJobs();

export const handler = routeHandler('list-videos', async (call) => {
  const {
    limit,
    order,
    cursor,
    after,
    since,
    until,
    workspace_id: named,
    ...filter
  } = query(call, jobListQuery);
  if (cursor !== undefined && after !== undefined)
    throw invalidField(['after'], 'must not be given beside cursor');
  if (since !== undefined && until !== undefined && since > until) {
    throw invalidField(['since'], 'must not be after until');
  }
  const workspaceId = await actingWorkspace(call.principal, named, workspaces);
  const start = cursor ?? after;
  const place = order === 'asc' ? { oldestFirst: true, after: start } : { before: start };
  const page = await jobs.list(workspaceId, { ...filter, since, until, ...place }, limit);
  if (isOpenaiClient(call.headers)) return json(200, describeOpenaiVideos(page));
  return json(200, {
    data: await Promise.all(page.rows.map((job) => shownJob(job, call))),
    has_more: page.cursor !== null,
    cursor: page.cursor,
  });
});
