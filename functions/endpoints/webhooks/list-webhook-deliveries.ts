import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { query } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { wholeNumber } from '../../http/validation.ts';
import { describeDelivery } from '../../webhooks/events/delivery-view.ts';
import { EVENT_STATUSES, type WebhookEvent } from '../../webhooks/events/event.ts';
import { EventList } from '../../webhooks/events/event-list.ts';
import { findWorkspace } from '../../workspaces/find-workspace.ts';
import { WorkspaceStore } from '../../workspaces/workspace-store.ts';

const environment = readEnvironment({ WORKSPACES_TABLE: v.string(), EVENTS_TABLE: v.string() });
const workspaces = new WorkspaceStore(dynamo, environment.WORKSPACES_TABLE);
const events = new EventList(dynamo, environment.EVENTS_TABLE);

const PLACE = /^\d{4}-\d\d-\d\dT[\d:.]{12}Z~msg_[0-9a-z]{26}$/;

/** Newest first. */
export const handler = routeHandler('list-webhook-deliveries', async (call) => {
  const { limit, cursor, ...filter } = query(call, {
    status: v.exactOptional(v.picklist(EVENT_STATUSES, `must be one of ${EVENT_STATUSES.join(', ')}`)),
    job_id: v.exactOptional(v.string()),
    limit: v.optional(wholeNumber(1, 100), '20'),
    cursor: v.exactOptional(v.pipe(v.string(), v.regex(PLACE, 'must be the cursor of the page before'))),
  });
  const workspace = await findWorkspace(workspaces, call.path.workspace ?? '');
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
