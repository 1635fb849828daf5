import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { justBefore, type Page, readPage } from '../../aws/read-page.ts';
import { EVENTS_BY_WORKSPACE, LOST_EVENTS } from '../table.ts';
import { type EventStatus, type WebhookEvent, webhookEventSchema } from './event.ts';

/** Before and after every place. */
const FIRST_PLACE = '0';
const LAST_PLACE = 'z';

export const PLACE = /^\d{4}-\d\d-\d\dT[\d:.]{12}Z~msg_[0-9a-z]{26}$/;

/** A workspace's events by age. Eventually consistent: one just written may be missing for a moment. */
export class EventList {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** Newest first, only those of the status and before the place that are given. */
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
    } as const;
    return readPage(this.#client, listing, limit);
  }

  /** What was not delivered and can be recovered: oldest first, of an instant or later, and after the given place. */
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
    } as const;
    return readPage(this.#client, listing, limit);
  }
}
