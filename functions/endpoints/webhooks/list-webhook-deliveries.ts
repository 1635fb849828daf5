import * as v from 'valibot';
import type { Page } from '../../aws/read-page.ts';
import { query } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { wholeNumber } from '../../http/validation.ts';
import { VIDEO_ID } from '../../videos/jobs/job.ts';
import { describeDelivery } from '../../webhooks/events/delivery-view.ts';
import { EVENT_STATUSES, eventIdOf, type WebhookEvent } from '../../webhooks/events/event.ts';
import { PLACE } from '../../webhooks/events/event-list.ts';
import { workspaceHandler } from '../workspaces/workspace-handler.ts';
import { eventList, eventStore } from './deployed.ts';

const list = eventList();
const events = eventStore();

/** Newest first. */
export const handler = workspaceHandler('list-webhook-deliveries', async (call, workspace) => {
  const { limit, cursor, job_id, status } = query(call, {
    status: v.exactOptional(v.picklist(EVENT_STATUSES, `must be one of ${EVENT_STATUSES.join(', ')}`)),
    job_id: v.exactOptional(v.string()),
    limit: v.optional(wholeNumber(1, 100), '20'),
    cursor: v.exactOptional(v.pipe(v.string(), v.regex(PLACE, 'must be the cursor of the page before'))),
  });
  const chosen = { status, before: cursor };
  const page =
    job_id === undefined
      ? await list.newest(workspace.id, chosen, limit)
      : await ofJob(workspace.id, job_id, chosen);
  return json(200, {
    data: page.rows.map(describeDelivery),
    has_more: page.cursor !== null,
    cursor: page.cursor,
  });
});

/** A job has one event, whose id follows from its own. */
async function ofJob(
  workspaceId: string,
  jobId: string,
  { status, before }: { readonly status: string | undefined; readonly before: string | undefined },
): Promise<Page<WebhookEvent>> {
  const event = VIDEO_ID.test(jobId) ? await events.find(eventIdOf(jobId)) : undefined;
  const isWanted =
    event?.workspace_id === workspaceId &&
    (status ?? event.status) === event.status &&
    (before === undefined || event.place < before);
  return { rows: isWanted ? [event] : [], cursor: null };
}
