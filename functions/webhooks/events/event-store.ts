import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type ConditionalUpdate, removeAll, setExpression, updateWhere } from '../../aws/dynamo-writes.ts';
import { shardOf } from '../../sweeping/sparse-index.ts';
import { EVENTS_BY_WORKSPACE } from '../../tables.ts';
import {
  type Attempt,
  type EventStatus,
  expiryAfter,
  packedBody,
  traceIdOf,
  type WebhookEvent,
  webhookEventSchema,
} from './event.ts';

/** What follows an attempt. `dueAt` is the time of the next one, in milliseconds since the epoch. */
export type Progress =
  | { readonly status: 'pending'; readonly dueAt: number; readonly refused: boolean }
  | { readonly status: 'delivered' | 'failed' };

/**
 * The outbox. Every write holds only if the event has not changed since it was read, so of two workers at the same
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

  async create(event: WebhookEvent): Promise<void> {
    await this.#client.send(new PutCommand(this.insertion(event).Put));
  }

  insertion(event: WebhookEvent) {
    return {
      Put: {
        TableName: this.#table,
        Item: { ...event, body: packedBody(event.body), active: shardOf(event.id) },
        ConditionExpression: 'attribute_not_exists(id)',
      },
    };
  }

  /**
   * Begins a new chain of attempts, due at once, whatever became of the previous one; undefined while an attempt is
   * under way.
   */
  async restart(event: WebhookEvent, now: Date): Promise<WebhookEvent | undefined> {
    const changes = {
      status: 'pending',
      chain_start: event.attempts,
      is_redelivery: true,
      refusals: 0,
      waits: 0,
      sweeps: 0,
      lease_until: 0,
      due_at: now.getTime(),
      expires_at: expiryAfter(now),
    } as const;
    const { set, names, values } = setExpression({ ...changes, active: shardOf(event.id) });
    const isOurs = await this.#write(event.id, {
      UpdateExpression: `${set} REMOVE lost_in, quarantine`,
      ConditionExpression: 'attempts = :attempts AND lease_until <= :now',
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ...values, ':attempts': event.attempts, ':now': now.getTime() },
    });
    return isOurs ? { ...event, ...changes } : undefined;
  }

  /**
   * Takes the right to make the next attempt, until `leaseUntil`; undefined when another worker has it.
   * @param token a new one each time: when an answer is lost, the repeated write recognises its own work by it
   */
  async claim(event: WebhookEvent, leaseUntil: number, token: string): Promise<WebhookEvent | undefined> {
    const values = { ':until': leaseUntil, ':token': token };
    const isOurs = await this.#update(event, 'SET lease_until = :until, #token = :token', values, token);
    return isOurs ? { ...event, lease_until: leaseUntil } : undefined;
  }

  /** Makes the event wait until `dueAt`; false when somebody else has moved it. */
  async postpone(
    { id, attempts, due_at: dueAt }: Pick<WebhookEvent, 'id' | 'attempts' | 'due_at'>,
    until: number,
    token: string,
  ): Promise<boolean> {
    const postponed =
      'SET due_at = :until, waits = if_not_exists(waits, :none) + :one, sweeps = :none, #token = :token';
    const values = {
      ':until': until,
      ':due_at': dueAt,
      ':attempts': attempts,
      ':none': 0,
      ':one': 1,
      ':token': token,
    };
    return this.#writePending(id, postponed, 'due_at = :due_at', values, token);
  }

  /** There is no address: nothing was tried, and nothing will be by itself. */
  async closeUndeliverable(event: WebhookEvent): Promise<void> {
    await this.#end(event, 'SET #status = :status', { ':status': 'no_address' });
  }

  /** Marks a lost event, so that it can be recovered. Refused when somebody has moved it. */
  markLost(id: string, workspaceId: string, status: EventStatus) {
    return {
      Update: {
        TableName: this.#table,
        Key: { id },
        UpdateExpression: 'SET lost_in = :workspace',
        ConditionExpression: '#status = :status AND attribute_not_exists(lost_in)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':workspace': workspaceId, ':status': status },
      },
    };
  }

  /** Removes the events of a deleted workspace, each with its trace, which is in no list. */
  removeAll(workspaceId: string): AsyncGenerator<void> {
    const query = {
      TableName: this.#table,
      IndexName: EVENTS_BY_WORKSPACE,
      KeyConditionExpression: 'workspace_id = :workspace',
      ExpressionAttributeValues: { ':workspace': workspaceId },
      ProjectionExpression: 'id, webhook_id',
    };
    return removeAll(this.#client, query, ({ id, webhook_id }) => {
      const told = webhook_id === undefined ? [id] : [id, webhook_id];
      return [...told.map((each) => ({ id: traceIdOf(String(each)) })), { id }];
    });
  }

  async record(event: WebhookEvent, attempt: Attempt, progress: Progress): Promise<void> {
    const set =
      'SET #status = :status, attempts = :made, lease_until = :none, waits = :none, sweeps = :none, history = list_append(history, :attempt)';
    const values = {
      ':status': progress.status,
      ':made': event.attempts + 1,
      ':none': 0,
      ':attempt': [attempt],
    };
    if (progress.status === 'pending') {
      await this.#update(event, `${set}, due_at = :due_at, refusals = :refusals`, {
        ...values,
        ':due_at': progress.dueAt,
        ':refusals': event.refusals + (progress.refused ? 1 : 0),
      });
    } else if (progress.status === 'failed') await this.#end(event, set, values);
    else await this.#update(event, `${set} REMOVE active`, values);
  }

  /** It was not delivered. A job's event can be recovered later; a test concerns a moment that is over. */
  #end(event: WebhookEvent, set: string, values: Record<string, unknown>): Promise<boolean> {
    if (event.job_id === undefined) return this.#update(event, `${set} REMOVE active`, values);
    const lost = { ...values, ':lost_in': event.workspace_id };
    return this.#update(event, `${set}, lost_in = :lost_in REMOVE active`, lost);
  }

  /** The lease and the chain are part of the condition: whoever has lost either can write nothing any more. */
  #update(
    event: WebhookEvent,
    expression: string,
    values: Record<string, unknown>,
    token?: string,
  ): Promise<boolean> {
    const condition = 'lease_until = :lease AND chain_start = :chain_start';
    const read = {
      ':lease': event.lease_until,
      ':chain_start': event.chain_start,
      ':attempts': event.attempts,
    };
    return this.#writePending(event.id, expression, condition, { ...values, ...read }, token);
  }

  #writePending(
    id: string,
    expression: string,
    condition: string,
    values: Record<string, unknown>,
    token?: string,
  ): Promise<boolean> {
    const update = {
      UpdateExpression: expression,
      ConditionExpression: `attempts = :attempts AND #status = :pending AND ${condition}`,
      ExpressionAttributeNames: {
        '#status': 'status',
        ...(token === undefined ? {} : { '#token': 'token' }),
      },
      ExpressionAttributeValues: { ...values, ':pending': 'pending' },
    };
    return this.#write(id, update, token);
  }

  #write(id: string, update: Omit<ConditionalUpdate, 'TableName' | 'Key'>, token?: string): Promise<boolean> {
    return updateWhere(this.#client, { TableName: this.#table, Key: { id }, ...update }, token);
  }
}
