import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { conditionFailed } from '../../aws/conditions.ts';
import { reasonOf } from '../../redaction.ts';
import { shardOf } from '../../sweeping/sparse-index.ts';
import { jobSchema } from './job.ts';

const overdueJobSchema = v.object({
  id: v.string(),
  workspace_id: v.fallback(v.string(), 'unknown'),
  phase: v.fallback(v.optional(jobSchema.entries.phase), undefined),
  seq: v.fallback(v.number(), 0),
  link: v.fallback(v.optional(v.string()), undefined),
  step: v.fallback(v.optional(v.string()), undefined),
  due_at: v.number(),
  /** Unknown: passed. */
  deadline_at: v.fallback(v.number(), 0),
  sweeps: v.fallback(v.number(), 0),
  /** Why a worker could not go on, and at which step that was. */
  failure: v.fallback(v.optional(v.string()), undefined),
  failed_step: v.fallback(v.optional(v.string()), undefined),
});

/** What is known of a job to which something is overdue, also where its row cannot be read as a job's any more. */
export interface OverdueJob extends Readonly<v.InferOutput<typeof overdueJobSchema>> {
  /** As it stands in the table. */
  readonly row: Readonly<Record<string, unknown>>;
}

export const overdueJob = (row: Record<string, unknown>): OverdueJob => ({
  ...v.parse(overdueJobSchema, row),
  row,
});

/** The condition that nobody has moved, put off or ended the job since it was read. */
export const unmoved = ({ step, due_at: dueAt }: OverdueJob) => ({
  ConditionExpression: `attribute_exists(#active) AND #due_at = :due_at AND ${step === undefined ? 'attribute_not_exists(#step)' : '#step = :step'}`,
  ExpressionAttributeNames: { '#active': 'active', '#due_at': 'due_at', '#step': 'step' },
  ExpressionAttributeValues: { ':due_at': dueAt, ...(step === undefined ? {} : { ':step': step }) },
});

/** A reason is for people; the log has all of it. */
const REASON_CHARACTERS = 300;

/** The rows of jobs as the sweeper sees them. */
export class OverdueJobs {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** Undefined when there is nothing left to do for it. */
  async find(id: string): Promise<OverdueJob | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { id }, ConsistentRead: true }),
    );
    return Item?.active === undefined ? undefined : overdueJob(Item);
  }

  /**
   * Counts a sweep, and lets the job be until `dueAt`. Nothing that a worker's step depends on changes by it.
   * @returns whether it does; not when somebody has moved the job since it was read
   */
  async postpone(job: OverdueJob, dueAt: number): Promise<boolean> {
    const condition = unmoved(job);
    return this.#update(job.id, {
      ...condition,
      UpdateExpression: 'SET #due_at = :until, #sweeps = :sweeps',
      ExpressionAttributeNames: { ...condition.ExpressionAttributeNames, '#sweeps': 'sweeps' },
      ExpressionAttributeValues: {
        ...condition.ExpressionAttributeValues,
        ':until': dueAt,
        ':sweeps': job.sweeps + 1,
      },
    });
  }

  /** Leaves a job that a worker could not go on with to the sweeper, which finds it also where its row is torn. */
  async noteFailure(id: string, error: Error, now: Date): Promise<void> {
    await this.#update(id, {
      UpdateExpression:
        'SET #active = if_not_exists(#active, :shard), #due_at = if_not_exists(#due_at, :now), ' +
        '#failure = :failure, #failed_step = if_not_exists(#step, :none)',
      ConditionExpression: 'attribute_exists(id) AND NOT #phase = :settled',
      ExpressionAttributeNames: {
        '#active': 'active',
        '#due_at': 'due_at',
        '#failure': 'failure',
        '#failed_step': 'failed_step',
        '#step': 'step',
        '#phase': 'phase',
      },
      ExpressionAttributeValues: {
        ':shard': shardOf(id),
        ':now': now.getTime(),
        ':failure': reasonOf(error).slice(0, REASON_CHARACTERS),
        ':none': '',
        ':settled': 'settled',
      },
    });
  }

  /** Whether the condition held. */
  async #update(
    id: string,
    update: Omit<ConstructorParameters<typeof UpdateCommand>[0], 'TableName' | 'Key'>,
  ): Promise<boolean> {
    try {
      await this.#client.send(new UpdateCommand({ TableName: this.#table, Key: { id }, ...update }));
      return true;
    } catch (error) {
      if (!conditionFailed(error)) throw error;
      return false;
    }
  }
}
