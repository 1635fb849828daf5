import { type DynamoDBDocumentClient, GetCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { transact } from '../../aws/transact.ts';
import { OVERDUE_INDEX, QUARANTINED, shardOf } from '../../sweeping/sparse-index.ts';
import { eventIdOf } from '../../webhooks/events/event.ts';

const noteSchema = v.object({
  at: v.string(),
  reason: v.string(),
  /** The fields that the quarantine changed, and what of them there was before. */
  changed: v.array(v.string()),
  before: v.record(v.string(), v.unknown()),
});
/** What a job's row holds of its quarantine. */
export type QuarantineNote = Readonly<v.InferOutput<typeof noteSchema>>;

const quarantinedSchema = v.looseObject({
  id: v.string(),
  upstream_id: v.fallback(v.optional(v.string()), undefined),
  quarantine: noteSchema,
});

/** Of the step that failed: a fresh start has none. */
const ABOUT_FAILURE = ['failure', 'failed_step'];

export interface QuarantinedJob {
  readonly id: string;
  readonly at: string;
  readonly reason: string;
  /** The provider's name of the work, if it has any. */
  readonly upstreamId: string | undefined;
}

/** Operators reach them with their own credentials, by the stage's outputs. */
export interface QuarantineTables {
  readonly jobs: string;
  readonly events: string;
}

/** The quarantine as operators see it. */
export class QuarantinedJobs {
  readonly #client: DynamoDBDocumentClient;
  readonly #tables: QuarantineTables;

  constructor(client: DynamoDBDocumentClient, tables: QuarantineTables) {
    this.#client = client;
    this.#tables = tables;
  }

  /** Those first whose next step was due first. */
  async *list(): AsyncGenerator<QuarantinedJob> {
    const pages = paginateQuery(
      { client: this.#client },
      {
        TableName: this.#tables.jobs,
        IndexName: OVERDUE_INDEX,
        KeyConditionExpression: '#active = :quarantined',
        ExpressionAttributeNames: { '#active': 'active' },
        ExpressionAttributeValues: { ':quarantined': QUARANTINED },
      },
    );
    for await (const { Items = [] } of pages) {
      for (const { id } of Items) {
        const row = await this.#find(id);
        if (row === undefined) continue;
        const { at, reason } = row.quarantine;
        yield { id: row.id, at, reason, upstreamId: row.upstream_id };
      }
    }
  }

  /**
   * Lets workers try again: the job is as it was and due at once. The event of its end is taken back, so that
   * its new end can be told. Its money stays released: it holds nothing any more.
   * @returns false when there is no such job in quarantine
   */
  async release(id: string, now: Date): Promise<boolean> {
    const row = await this.#find(id);
    if (row === undefined) return false;
    const { quarantine, ...failed } = row;
    const dropped = [...quarantine.changed, ...ABOUT_FAILURE];
    const kept = Object.entries(failed).filter(([name]) => !dropped.includes(name));
    const fresh = {
      active: shardOf(id),
      due_at: now.getTime(),
      sweeps: 0,
      holds: [],
      released_at: now.getTime(),
    };
    const Item = { ...Object.fromEntries(kept), ...quarantine.before, ...fresh };
    const isQuarantined = {
      ConditionExpression: '#active = :quarantined',
      ExpressionAttributeNames: { '#active': 'active' },
      ExpressionAttributeValues: { ':quarantined': QUARANTINED },
    };
    await transact(this.#client, {
      job: { Put: { TableName: this.#tables.jobs, Item, ...isQuarantined } },
      event: { Delete: { TableName: this.#tables.events, Key: { id: eventIdOf(id) } } },
    });
    return true;
  }

  async #find(id: string) {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#tables.jobs, Key: { id }, ConsistentRead: true }),
    );
    return Item?.active === QUARANTINED ? v.parse(quarantinedSchema, Item) : undefined;
  }
}
