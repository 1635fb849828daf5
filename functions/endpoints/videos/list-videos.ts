import * as v from 'valibot';
import { routeHandler } from '../../gate/route-handler.ts';
import { query } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { wholeNumber } from '../../http/validation.ts';
import { JOB_STATUSES, VIDEO_ID } from '../../videos/jobs/job.ts';
import { describeJob } from '../../videos/jobs/job-view.ts';
import { jobStore } from './deployed.ts';

const jobs = jobStore();

export const handler = routeHandler('list-videos', async (call) => {
  const { status, limit, cursor } = query(call, {
    status: v.exactOptional(v.picklist(JOB_STATUSES, `must be one of ${JOB_STATUSES.join(', ')}`)),
    limit: v.optional(wholeNumber(1, 100), '20'),
    // The id of the last job seen: in another workspace or forged it only begins elsewhere in one's own list.
    cursor: v.exactOptional(v.pipe(v.string(), v.regex(VIDEO_ID, 'must be the cursor of the page before'))),
  });
  const found = await jobs.list(call.principal.workspaceId, { status, before: cursor }, limit + 1);
  const page = found.slice(0, limit);
  const hasMore = found.length > limit;
  return json(200, {
    data: page.map((job) => describeJob(job, call.publicUrl)),
    has_more: hasMore,
    cursor: hasMore ? (page.at(-1)?.id ?? null) : null,
  });
});
