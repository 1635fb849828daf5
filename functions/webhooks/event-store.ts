import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { conditionFailed } from '../aws/conditions.ts';
import { type Attempt, type WebhookEvent, webhookEventSchema } from './event.ts';

/** What follows an attempt. `dueAt`, in milliseconds since the epoch, when another one does. */
export type Progress =
  | { readonly status: 'pending'; readonly dueAt: number; readonly refused: boolean }
  | { readonly status: 'delivered' | 'failed' };

/**
 * The outbox. Every write holds only while the event is as it was read, so of two workers at the same
 * attempt one changes nothing.
 */
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

  /** The right to make the next attempt, until `leaseUntil`; undefined when another worker has it. */
  async claim(event: WebhookEvent, leaseUntil: number): Promise<WebhookEvent | undefined> {
    const isOurs = await this.#update(event, 'SET lease_until = :until', { ':until': leaseUntil });
    return isOurs ? { ...event, lease_until: leaseUntil } : undefined;
  }

  /** Whether the event now waits until `dueAt`; false when somebody else has moved it. */
  async postpone(
    { id, attempts, due_at: dueAt }: Pick<WebhookEvent, 'id' | 'attempts' | 'due_at'>,
    until: number,
  ): Promise<boolean> {
    return this.#write(id, 'SET due_at = :until', 'due_at = :due_at', {
      ':until': until,
      ':due_at': dueAt,
      ':attempts': attempts,
    });
  }

  /** There is no address to deliver to: nothing was tried, nothing will be by itself. */
  async closeUndeliverable(event: WebhookEvent): Promise<void> {
    await this.#update(event, 'SET #status = :status REMOVE active', { ':status': 'none' });
  }

  async record(event: WebhookEvent, attempt: Attempt, progress: Progress): Promise<void> {
    const set =
      'SET #status = :status, attempts = :made, lease_until = :free, history = list_append(history, :attempt)';
    const values = {
      ':status': progress.status,
      ':made': event.attempts + 1,
      ':free': 0,
      ':attempt': [attempt],
    };
    if (progress.status === 'pending') {
      await this.#update(event, `${set}, due_at = :due_at, refusals = :refusals`, {
        ...values,
        ':due_at': progress.dueAt,
        ':refusals': event.refusals + (progress.refused ? 1 : 0),
      });
    } else await this.#update(event, `${set} REMOVE active`, values);
  }

  /** The lease is part of the condition: whoever has lost it writes nothing any more. */
  #update(event: WebhookEvent, expression: string, values: Record<string, unknown>): Promise<boolean> {
    return this.#write(event.id, expression, 'lease_until = :lease', {
      ...values,
      ':lease': event.lease_until,
      ':attempts': event.attempts,
    });
  }

  async #write(
    id: string,
    expression: string,
    condition: string,
    values: Record<string, unknown>,
  ): Promise<boolean> {
    try {
      await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: { id },
          UpdateExpression: expression,
          ConditionExpression: `attempts = :attempts AND #status = :pending AND ${condition}`,
          ExpressionAttributeNames: { '#status': 'status' },
          ExpressionAttributeValues: { ...values, ':pending': 'pending' },
        }),
      );
      return true;
    } catch (error) {
      if (!conditionFailed(error)) throw error;
      return false;
    }
  }
}
