import { routeHandler } from '../../gate/route-handler.ts';
import { query } from '../../http/call.ts';
import { invalidField } from '../../http/invalid-field.ts';
import { json } from '../../http/response.ts';
import { jobListQuery } from '../../videos/jobs/job-queries.ts';
import { describeJob } from '../../videos/jobs/job-view.ts';
import { jobStore } from './deployed.ts';

const jobs = jobStore();

export const handler = routeHandler('list-videos', async (call) => {
  const { limit, cursor, since, until, ...filter } = query(call, jobListQuery);
  if (since !== undefined && until !== undefined && since > until) {
    throw invalidField(['since'], 'must not be after until');
  }
  const { workspaceId } = call.principal;
  const page = await jobs.list(workspaceId, { ...filter, since, until, before: cursor }, limit);
  return json(200, {
    data: page.rows.map((job) => describeJob(job, call.publicUrl)),
    has_more: page.cursor !== null,
    cursor: page.cursor,
  });
});
