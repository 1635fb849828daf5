import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { conditionFailed } from '../../aws/conditions.ts';

/** What is known of a job to which something is overdue, also where its row cannot be read as a job's any more. */
export const overdueJobSchema = v.looseObject({
  id: v.string(),
  workspace_id: v.fallback(v.string(), 'unknown'),
  seq: v.fallback(v.number(), 0),
  link: v.fallback(v.optional(v.string()), undefined),
  step: v.fallback(v.optional(v.string()), undefined),
  due_at: v.number(),
  /** Unknown: passed. */
  deadline_at: v.fallback(v.number(), 0),
  sweeps: v.fallback(v.number(), 0),
});
export type OverdueJob = Readonly<v.InferOutput<typeof overdueJobSchema>>;

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
    return Item?.active === undefined ? undefined : v.parse(overdueJobSchema, Item);
  }

  /**
   * Counts a sweep, and lets the job be until `dueAt`. Nothing that a worker's step depends on changes by it.
   * @returns whether it does; not when somebody has moved the job since it was read
   */
  async postpone({ id, step, due_at, sweeps }: OverdueJob, dueAt: number): Promise<boolean> {
    const isSameStep = step === undefined ? 'attribute_not_exists(#step)' : '#step = :step';
    try {
      await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: { id },
          UpdateExpression: 'SET #due_at = :until, #sweeps = :sweeps',
          ConditionExpression: `attribute_exists(#active) AND #due_at = :due_at AND ${isSameStep}`,
          ExpressionAttributeNames: {
            '#active': 'active',
            '#due_at': 'due_at',
            '#step': 'step',
            '#sweeps': 'sweeps',
          },
          ExpressionAttributeValues: {
            ':due_at': due_at,
            ':until': dueAt,
            ':sweeps': sweeps + 1,
            ...(step === undefined ? {} : { ':step': step }),
          },
        }),
      );
      return true;
    } catch (error) {
      if (!conditionFailed(error)) throw error;
      return false;
    }
  }
}
