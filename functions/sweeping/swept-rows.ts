import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type ConditionalUpdate, updateWhere } from '../aws/dynamo-writes.ts';
import { defined } from '../defined.ts';
import type { Log } from '../telemetry/log.ts';
import { reasonOf } from '../telemetry/redaction.ts';
import { QUARANTINED, shardOf } from './sparse-index.ts';

/** The attributes that the index of due rows contains and that are needed. */
export const dueRowSchema = v.object({ id: v.string(), due_at: v.number() });
export type DueRow = v.InferOutput<typeof dueRowSchema>;

const overdueRowSchema = v.object({
  ...dueRowSchema.entries,
  workspace_id: v.fallback(v.string(), 'unknown'),
  sweeps: v.fallback(v.number(), 0),
  /** Why a worker could not go on, and at which step. */
  failure: v.fallback(v.optional(v.string()), undefined),
  failed_step: v.fallback(v.optional(v.string()), undefined),
});

/** Where the rows of one kind say how far they are. */
export interface RowKind {
  /** The attribute that changes with each step of a worker. */
  readonly step: string;
  /** The attribute that says whether anything is left to do, and its values when nothing is. */
  readonly state: string;
  readonly ended: readonly string[];
}

/** An overdue row, even if it can no longer be parsed as what it is. */
export interface OverdueRow extends Readonly<v.InferOutput<typeof overdueRowSchema>> {
  readonly step: readonly [name: string, value: unknown];
  /** As it is in the table. */
  readonly row: Readonly<Record<string, unknown>>;
}

export const overdueRow = (row: Record<string, unknown>, { step }: RowKind): OverdueRow => ({
  ...v.parse(overdueRowSchema, row),
  step: [step, row[step]],
  row,
});

/** Why workers fail at the row's current step; undefined where they have got past it, or none has said. */
export const standingFailure = ({ step: [, step], failed_step, failure }: OverdueRow): string | undefined =>
  failed_step === (step ?? '') ? failure : undefined;

/** The condition that nobody has moved, put off, ended or quarantined the row since it was read. */
export const unmoved = ({ step: [name, step], due_at: dueAt }: OverdueRow) => ({
  ConditionExpression: `attribute_exists(#active) AND #active <> :quarantined AND #due_at = :due_at AND ${step === undefined ? 'attribute_not_exists(#step)' : '#step = :step'}`,
  ExpressionAttributeNames: { '#active': 'active', '#due_at': 'due_at', '#step': name },
  ExpressionAttributeValues: defined({ ':quarantined': QUARANTINED, ':due_at': dueAt, ':step': step }),
});

/** A reason is for people; the log has all of it. */
const REASON_CHARACTERS = 300;

/** The rows of a table, as its sweeper sees them. */
export class SweptRows {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #kind: RowKind;

  constructor(client: DynamoDBDocumentClient, table: string, kind: RowKind) {
    this.#client = client;
    this.#table = table;
    this.#kind = kind;
  }

  /** Undefined when nothing is left to do for it, or it is in quarantine: the index may still show it as due. */
  async find(id: string): Promise<OverdueRow | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { id }, ConsistentRead: true }),
    );
    if (Item?.active === undefined || Item.active === QUARANTINED) return undefined;
    return overdueRow(Item, this.#kind);
  }

  /**
   * Counts a sweep, and puts the row off until `dueAt`. No worker's step depends on anything that this changes.
   * @returns false when somebody has moved the row since it was read
   */
  async postpone(row: OverdueRow, dueAt: number): Promise<boolean> {
    const condition = unmoved(row);
    return this.#update(row.id, {
      ...condition,
      UpdateExpression: 'SET #due_at = :until, #sweeps = :sweeps',
      ExpressionAttributeNames: { ...condition.ExpressionAttributeNames, '#sweeps': 'sweeps' },
      ExpressionAttributeValues: {
        ...condition.ExpressionAttributeValues,
        ':until': dueAt,
        ':sweeps': row.sweeps + 1,
      },
    });
  }

  /** Leaves a row on which a worker failed to the sweeper, which finds it even if it is damaged. */
  async noteFailure(id: string, error: Error, now: Date): Promise<void> {
    const ended = Object.fromEntries(this.#kind.ended.map((state, i) => [`:ended${i}`, state]));
    await this.#update(id, {
      UpdateExpression:
        'SET #active = if_not_exists(#active, :shard), #due_at = if_not_exists(#due_at, :now), ' +
        '#failure = :failure, #failed_step = if_not_exists(#step, :none)',
      ConditionExpression: `attribute_exists(id) AND NOT #state IN (${Object.keys(ended).join(', ')})`,
      ExpressionAttributeNames: {
        '#active': 'active',
        '#due_at': 'due_at',
        '#failure': 'failure',
        '#failed_step': 'failed_step',
        '#step': this.#kind.step,
        '#state': this.#kind.state,
      },
      ExpressionAttributeValues: {
        ':shard': shardOf(id),
        ':now': now.getTime(),
        ':failure': reasonOf(error).slice(0, REASON_CHARACTERS),
        ':none': '',
        ...ended,
      },
    });
  }

  #update(id: string, update: Omit<ConditionalUpdate, 'TableName' | 'Key'>): Promise<boolean> {
    return updateWhere(this.#client, { TableName: this.#table, Key: { id }, ...update });
  }
}

export interface LeavePorts {
  readonly sweptRows: Pick<SweptRows, 'noteFailure'>;
  readonly now: () => Date;
  readonly log: Pick<Log, 'error'>;
}

/**
 * Does one step for a row. If it fails, the row is left to the sweeper, which comes back later and later, and takes out
 * what cannot go on. The queue would bring back this message beside the sweeper's.
 */
export async function stepOrLeave(
  id: string,
  step: () => Promise<void>,
  { sweptRows, now, log }: LeavePorts,
): Promise<void> {
  try {
    await step();
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause), { cause });
    log.error('row not advanced', { row_id: id, error });
    await sweptRows.noteFailure(id, error, now());
  }
}
