import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { conditionFailed } from '../aws/conditions.ts';
import { type WebhookEvent, webhookEventSchema } from './event.ts';

/** One try to deliver: what a workspace may see of it, and nothing of what the receiver said. */
export interface Attempt {
  readonly at: string;
  readonly outcome: string;
  readonly milliseconds: number;
}

export class EventStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async find(id: string): Promise<WebhookEvent | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { id }, ConsistentRead: true }),
    );
    return Item === undefined ? undefined : v.parse(webhookEventSchema, Item);
  }

  /** Nobody has named an address: nothing was tried, nothing will be by itself. */
  async closeUndeliverable(event: WebhookEvent): Promise<void> {
    await this.#update(event, 'SET #status = :status REMOVE active', { ':status': 'none' });
  }

  /** After an attempt. `dueAt` (milliseconds since the epoch) when another one is due. */
  async record(
    event: WebhookEvent,
    attempt: Attempt,
    result: { status: 'pending'; dueAt: number } | { status: 'delivered' | 'failed' },
  ): Promise<void> {
    const set =
      'SET #status = :status, attempts = :made, history = list_append(if_not_exists(history, :none), :attempt)';
    const values = {
      ':status': result.status,
      ':made': event.attempts + 1,
      ':none': [],
      ':attempt': [attempt],
    };
    if (result.status === 'pending') {
      await this.#update(event, `${set}, due_at = :due_at`, { ...values, ':due_at': result.dueAt });
    } else await this.#update(event, `${set} REMOVE active`, values);
  }

  /** A second worker at the same attempt changes nothing: the first one's record stands. */
  async #update(event: WebhookEvent, expression: string, values: Record<string, unknown>): Promise<void> {
    try {
      await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: { id: event.id },
          UpdateExpression: expression,
          ConditionExpression: 'attempts = :attempts AND #status = :pending',
          ExpressionAttributeNames: { '#status': 'status' },
          ExpressionAttributeValues: { ...values, ':attempts': event.attempts, ':pending': 'pending' },
        }),
      );
    } catch (error) {
      if (!conditionFailed(error)) throw error;
    }
  }
}
