import { isDeepStrictEqual } from 'node:util';
import { type DynamoDBDocumentClient, GetCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { TransactItem } from '../aws/dynamo-writes.ts';
import { OVERDUE_INDEX, QUARANTINED, shardOf } from './sparse-index.ts';

export const quarantineNoteSchema = v.object({
  at: v.string(),
  reason: v.string(),
  /** The fields that the quarantine changed, and their values before. */
  changed: v.array(v.string()),
  before: v.record(v.string(), v.unknown()),
});
/** What a quarantined row keeps about its quarantine. */
export type QuarantineNote = Readonly<v.InferOutput<typeof quarantineNoteSchema>>;

const quarantinedSchema = v.looseObject({
  id: v.string(),
  upstream_id: v.fallback(v.optional(v.string()), undefined),
  quarantine: quarantineNoteSchema,
});

/** About the step that failed; a released row begins without them. */
const ABOUT_FAILURE = ['failure', 'failed_step'];

/** A row with these changes; it also keeps what it was, for whoever looks for the cause. */
export function quarantinedRow(
  before: Readonly<Record<string, unknown>>,
  changes: object,
  reason: string,
  now: Date,
): Record<string, unknown> {
  const after = { ...changes, active: QUARANTINED };
  const changed = Object.entries(after)
    .filter(([name, value]) => !isDeepStrictEqual(value, before[name]))
    .map(([name]) => name);
  const quarantine: QuarantineNote = {
    at: now.toISOString(),
    reason,
    changed,
    before: Object.fromEntries(Object.entries(before).filter(([name]) => changed.includes(name))),
  };
  return { ...before, ...after, quarantine };
}

export interface QuarantinedRow {
  readonly id: string;
  readonly at: string;
  readonly reason: string;
  /** The provider's name for a job's work, if it has one. */
  readonly upstreamId: string | undefined;
}

/** The quarantine of a table, as operators see it. */
export class QuarantinedRows {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** In the order in which their next steps were due. */
  async *list(): AsyncGenerator<QuarantinedRow> {
    const pages = paginateQuery(
      { client: this.#client },
      {
        TableName: this.#table,
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
   * Lets workers try again: the row is as it was, with these changes, and due at once.
   * @returns undefined when there is no such row in quarantine
   */
  async releasing(id: string, changes: object, now: Date): Promise<TransactItem | undefined> {
    const row = await this.#find(id);
    if (row === undefined) return undefined;
    const { quarantine, ...failed } = row;
    const dropped = [...quarantine.changed, ...ABOUT_FAILURE];
    const kept = Object.entries(failed).filter(([name]) => !dropped.includes(name));
    const fresh = { active: shardOf(id), due_at: now.getTime(), sweeps: 0, ...changes };
    return {
      Put: {
        TableName: this.#table,
        Item: { ...Object.fromEntries(kept), ...quarantine.before, ...fresh },
        ConditionExpression: '#active = :quarantined',
        ExpressionAttributeNames: { '#active': 'active' },
        ExpressionAttributeValues: { ':quarantined': QUARANTINED },
      },
    };
  }

  async #find(id: string) {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { id }, ConsistentRead: true }),
    );
    return Item?.active === QUARANTINED ? v.parse(quarantinedSchema, Item) : undefined;
  }
}
