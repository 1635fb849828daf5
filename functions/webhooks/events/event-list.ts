import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { justBefore, type Page, readPage, type TellUnreadable } from '../../aws/dynamo-reads.ts';
import { EVENTS_BY_WORKSPACE, LOST_EVENTS } from '../../tables.ts';
import { EVENT_ID, type EventStatus, eventIdOf, type WebhookEvent, webhookEventSchema } from './event.ts';
import type { EventStore } from './event-store.ts';

/** Below and above every place. */
const FIRST_PLACE = '0';
const LAST_PLACE = 'z';

/**
 * A workspace's events by age. Eventually consistent: an event just written may be missing for a moment, and one that
 * cannot be read is missing.
 */
export class EventList {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #tellUnreadable: TellUnreadable;

  constructor(client: DynamoDBDocumentClient, table: string, tellUnreadable: TellUnreadable) {
    this.#client = client;
    this.#table = table;
    this.#tellUnreadable = tellUnreadable;
  }

  /** Newest first; optionally of one status, and before a place. */
  newest(
    workspaceId: string,
    { status, before }: { readonly status?: EventStatus | undefined; readonly before?: string | undefined },
    limit: number,
  ): Promise<Page<WebhookEvent>> {
    const listing = {
      table: this.#table,
      index: EVENTS_BY_WORKSPACE,
      partition: ['workspace_id', workspaceId],
      sortKey: 'place',
      from: FIRST_PLACE,
      to: before === undefined ? LAST_PLACE : justBefore(before),
      oldestFirst: false,
      where: { status },
      schema: webhookEventSchema,
      tellUnreadable: this.#tellUnreadable,
    } as const;
    return readPage(this.#client, listing, limit);
  }

  /** Events that were lost and can be recovered: oldest first, not older than a moment, and after a place. */
  lost(
    workspaceId: string,
    since: Date,
    after: string | undefined,
    limit: number,
  ): Promise<Page<WebhookEvent>> {
    const begin = since.toISOString();
    const listing = {
      table: this.#table,
      index: LOST_EVENTS,
      partition: ['lost_in', workspaceId],
      sortKey: 'place',
      from: after === undefined || after < begin ? begin : `${after}~`,
      to: LAST_PLACE,
      oldestFirst: true,
      schema: webhookEventSchema,
      tellUnreadable: this.#tellUnreadable,
    } as const;
    return readPage(this.#client, listing, limit);
  }
}

export interface AskedDeliveries {
  readonly limit: number;
  readonly job_id?: string;
  readonly status?: EventStatus;
  readonly cursor?: string;
}

interface ListDeliveriesPorts {
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
