import * as v from 'valibot';
import { query } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { wholeNumber } from '../../http/validation.ts';
import { describeDelivery } from '../../webhooks/events/delivery-view.ts';
import { EVENT_STATUSES, type WebhookEvent } from '../../webhooks/events/event.ts';
import { workspaceHandler } from '../workspaces/workspace-handler.ts';
import { eventList } from './deployed.ts';

const PLACE = /^\d{4}-\d\d-\d\dT[\d:.]{12}Z~msg_[0-9a-z]{26}$/;

const events = eventList();

/** Newest first. */
export const handler = workspaceHandler('list-webhook-deliveries', async (call, workspace) => {
  const { limit, cursor, ...filter } = query(call, {
    status: v.exactOptional(v.picklist(EVENT_STATUSES, `must be one of ${EVENT_STATUSES.join(', ')}`)),
    job_id: v.exactOptional(v.string()),
    limit: v.optional(wholeNumber(1, 100), '20'),
    cursor: v.exactOptional(v.pipe(v.string(), v.regex(PLACE, 'must be the cursor of the page before'))),
  });
  const isWanted = ({ status, job_id }: WebhookEvent) =>
    (filter.status ?? status) === status && (filter.job_id ?? job_id) === job_id;
  const found: WebhookEvent[] = [];
  for await (const event of events.before(workspace.id, cursor)) {
    if (isWanted(event) && found.push(event) > limit) break;
  }
  const page = found.slice(0, limit);
  const hasMore = found.length > limit;
  return json(200, {
    data: page.map(describeDelivery),
    has_more: hasMore,
    cursor: hasMore ? (page.at(-1)?.place ?? null) : null,
  });
});
