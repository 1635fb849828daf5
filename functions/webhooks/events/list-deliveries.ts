import type { Page } from '../../aws/read-page.ts';
import { EVENT_ID, type EventStatus, eventIdOf, type WebhookEvent } from './event.ts';
import type { EventList } from './event-list.ts';
import type { EventStore } from './event-store.ts';

export interface AskedDeliveries {
  readonly limit: number;
  readonly job_id?: string;
  readonly status?: EventStatus;
  readonly cursor?: string;
}

export interface ListDeliveriesPorts {
  readonly list: Pick<EventList, 'newest'>;
  readonly events: Pick<EventStore, 'find'>;
}

/** A workspace's events, newest first; with a job the one that it has, whose id follows from the job's. */
export async function listDeliveries(
  workspaceId: string,
  { limit, job_id, status, cursor }: AskedDeliveries,
  { list, events }: ListDeliveriesPorts,
): Promise<Page<WebhookEvent>> {
  if (job_id === undefined) return list.newest(workspaceId, { status, before: cursor }, limit);
  const id = eventIdOf(job_id);
  const event = EVENT_ID.test(id) ? await events.find(id) : undefined;
  const isWanted =
    event?.workspace_id === workspaceId &&
    event.job_id === job_id &&
    (status ?? event.status) === event.status &&
    (cursor === undefined || (event.place !== undefined && event.place < cursor));
  return { rows: isWanted ? [event] : [], cursor: null };
}
