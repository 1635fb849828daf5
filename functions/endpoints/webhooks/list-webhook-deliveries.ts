import type { Page } from '../../aws/read-page.ts';
import { query } from '../../http/query.ts';
import { json } from '../../http/response.ts';
import { VIDEO_ID } from '../../videos/jobs/job.ts';
import { describeDelivery } from '../../webhooks/events/delivery-view.ts';
import { eventIdOf, type WebhookEvent } from '../../webhooks/events/event.ts';
import { deliveryListQuery } from '../../webhooks/webhook-requests.ts';
import { workspaceHandler } from '../workspaces/workspace-handler.ts';
import { eventList, eventStore } from './deployed.ts';

const list = eventList();
const events = eventStore();

/** Newest first. */
export const handler = workspaceHandler('list-webhook-deliveries', async (call, workspace) => {
  const { limit, cursor, job_id, status } = query(call, deliveryListQuery);
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

/** A job has one event, whose id follows from the job's. */
async function ofJob(
  workspaceId: string,
  jobId: string,
  { status, before }: { readonly status: string | undefined; readonly before: string | undefined },
): Promise<Page<WebhookEvent>> {
  const event = VIDEO_ID.test(jobId) ? await events.find(eventIdOf(jobId)) : undefined;
  const isWanted =
    event?.workspace_id === workspaceId &&
    (status ?? event.status) === event.status &&
    (before === undefined || (event.place !== undefined && event.place < before));
  return { rows: isWanted ? [event] : [], cursor: null };
}
