import * as v from 'valibot';
import { routeHandler } from '../../gate/route-handler.ts';
import { query } from '../../http/call.ts';
import { invalidField } from '../../http/invalid-field.ts';
import { json } from '../../http/response.ts';
import { timestamp } from '../../http/timestamp.ts';
import { wholeNumber } from '../../http/validation.ts';
import { workspaceName } from '../../http/workspace-name.ts';
import { KEY_HASH } from '../../keys/key-format.ts';
import { JOB_STATUSES, VIDEO_ID } from '../../videos/jobs/job.ts';
import { actingWorkspace } from '../../workspaces/acting-workspace.ts';
import { workspaceStore } from '../workspaces/deployed.ts';
import { jobStore } from './deployed.ts';
import { shownJobs } from './shown-job.ts';

const jobs = jobStore();
const workspaces = workspaceStore();
const shownJob = shownJobs();

const instant = v.pipe(
  timestamp,
  v.transform((text) => new Date(text)),
);

export const handler = routeHandler('list-videos', async (call) => {
  const {
    limit,
    cursor,
    since,
    until,
    workspace_id: named,
    ...filter
  } = query(call, {
    status: v.exactOptional(v.picklist(JOB_STATUSES, `must be one of ${JOB_STATUSES.join(', ')}`)),
    model: v.exactOptional(v.string()),
    key: v.exactOptional(v.pipe(v.string(), v.regex(KEY_HASH, 'must be the hash of a key'))),
    since: v.exactOptional(instant),
    until: v.exactOptional(instant),
    limit: v.optional(wholeNumber(1, 100), '20'),
    workspace_id: v.exactOptional(workspaceName),
    // The id of the last job read: in another workspace or forged it only begins elsewhere in one's own list.
    cursor: v.exactOptional(v.pipe(v.string(), v.regex(VIDEO_ID, 'must be the cursor of the page before'))),
  });
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
