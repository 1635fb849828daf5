import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { readableRows, type TellUnreadable } from '../../aws/readable-rows.ts';
import { EVENTS_BY_WORKSPACE } from '../table.ts';
import { type WebhookEvent, webhookEventSchema } from './event.ts';

/** Before and after every place. */
const FIRST_PLACE = '0';
const LAST_PLACE = 'z';

/** A workspace's events by age. Eventually consistent: one just written may be missing for a moment, one that cannot be read is. */
export class EventList {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #tellUnreadable: TellUnreadable;

  constructor(client: DynamoDBDocumentClient, table: string, tellUnreadable: TellUnreadable) {
    this.#client = client;
    this.#table = table;
    this.#tellUnreadable = tellUnreadable;
  }

  /** Newest first, only those before the given place. */
  before(workspaceId: string, place: string = LAST_PLACE): AsyncGenerator<WebhookEvent> {
    return this.#between(workspaceId, FIRST_PLACE, place, false);
  }

  /** Oldest first. */
  since(workspaceId: string, instant: Date): AsyncGenerator<WebhookEvent> {
    return this.#between(workspaceId, instant.toISOString(), LAST_PLACE, true);
  }

  async *#between(
    workspaceId: string,
    from: string,
    to: string,
    oldestFirst: boolean,
  ): AsyncGenerator<WebhookEvent> {
    const pages = paginateQuery(
      { client: this.#client },
      {
        TableName: this.#table,
        IndexName: EVENTS_BY_WORKSPACE,
        ScanIndexForward: oldestFirst,
        KeyConditionExpression: 'workspace_id = :workspace AND place BETWEEN :from AND :to',
        ExpressionAttributeValues: { ':workspace': workspaceId, ':from': from, ':to': to },
      },
    );
    for await (const { Items = [] } of pages) {
      for (const event of readableRows(webhookEventSchema, Items, this.#tellUnreadable)) {
        // BETWEEN takes in both ends; the one that a page begins after is not part of it.
        if (event.place !== to) yield event;
      }
    }
  }
}
