import { type DynamoDBDocumentClient, GetCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { setExpression } from '../../aws/set-expression.ts';
import { shardOf } from '../../sweeping/sparse-index.ts';
import { JOBS_BY_WORKSPACE } from '../table.ts';
import { type Job, type JobStatus, jobSchema } from './job.ts';
import type { Step } from './job-machine.ts';

/** `{` sorts after every digit and letter of an id. */
const AFTER_ALL_JOBS = 'vid_{';

export interface JobFilter {
  readonly status: JobStatus | undefined;
  /** Only jobs older than this one. */
  readonly before: string | undefined;
}

/** Jobs as they are read, and the writes that make and move them. */
export class JobStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** Consistent: once a caller has seen a state, it never sees an earlier one. */
  async find(id: string): Promise<Job | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { id }, ConsistentRead: true }),
    );
    return Item === undefined ? undefined : v.parse(jobSchema, Item);
  }

  /** Newest first. Eventually consistent: a job just submitted may be missing for a moment. */
  async list(workspaceId: string, filter: JobFilter, limit: number): Promise<Job[]> {
    const pages = paginateQuery(
      { client: this.#client },
      {
        TableName: this.#table,
        IndexName: JOBS_BY_WORKSPACE,
        ScanIndexForward: false,
        KeyConditionExpression: 'workspace_id = :workspace AND id < :before',
        ...(filter.status === undefined ? {} : { FilterExpression: '#status = :status' }),
        ...(filter.status === undefined ? {} : { ExpressionAttributeNames: { '#status': 'status' } }),
        ExpressionAttributeValues: {
          ':workspace': workspaceId,
          ':before': filter.before ?? AFTER_ALL_JOBS,
          ...(filter.status === undefined ? {} : { ':status': filter.status }),
        },
      },
    );
    const jobs: Job[] = [];
    for await (const { Items = [] } of pages) {
      for (const item of Items) {
        jobs.push(v.parse(jobSchema, item));
        if (jobs.length === limit) return jobs;
      }
    }
    return jobs;
  }

  /** The row that a new job begins with; it is written with what the job holds, in one transaction. */
  insertion(job: Job) {
    return {
      Put: {
        TableName: this.#table,
        Item: { ...job, active: shardOf(job.id) },
        ConditionExpression: 'attribute_not_exists(id)',
      },
    };
  }

  /** Refused, with the row as it is, when the job is no longer as it was read. */
  step(job: Job, { changes }: Step) {
    const { set, names, values } = setExpression(changes);
    // A job that has ended is nothing that the sweeper looks for.
    const leave = changes.phase === 'settled' ? ' REMOVE active' : '';
    return {
      Update: {
        TableName: this.#table,
        Key: { id: job.id },
        UpdateExpression: `${set}${leave}`,
        // Rows of versions before steps had names have none.
        ConditionExpression:
          '#seq = :seq AND #phase = :phase AND #submits = :submits' +
          (job.step === '' ? ' AND (attribute_not_exists(#step) OR #step = :step)' : ' AND #step = :step'),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
        ExpressionAttributeNames: {
          '#seq': 'seq',
          '#phase': 'phase',
          '#submits': 'submits',
          '#step': 'step',
          ...names,
        },
        ExpressionAttributeValues: {
          ':seq': job.seq,
          ':phase': job.phase,
          ':submits': job.submits,
          ':step': job.step,
          ...values,
        },
      },
    };
  }

  /** Refused when the job is at no provider (any more). */
  cancelRequest(id: string, now: Date) {
    return {
      Update: {
        TableName: this.#table,
        Key: { id },
        UpdateExpression: 'SET #asked = if_not_exists(#asked, :now)',
        ConditionExpression: '#phase IN (:submitting, :polling)',
        ExpressionAttributeNames: { '#asked': 'cancel_requested_at', '#phase': 'phase' },
        ExpressionAttributeValues: {
          ':now': now.toISOString(),
          ':submitting': 'submitting',
          ':polling': 'polling',
        },
      },
    };
  }
}
