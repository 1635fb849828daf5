import { type DynamoDBDocumentClient, GetCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { readableRows, type TellUnreadable } from '../../aws/readable-rows.ts';
import { shardOf } from '../../sweeping/sparse-index.ts';
import { JOBS_BY_WORKSPACE } from '../table.ts';
import { type Job, type JobStatus, jobSchema } from './job.ts';
import { salvageJob } from './salvage-job.ts';

/** `{` sorts after every digit and letter of an id. */
const AFTER_ALL_JOBS = 'vid_{';

export interface JobFilter {
  readonly status: JobStatus | undefined;
  /** Only jobs older than this one. */
  readonly before: string | undefined;
}

/** The row that a new job begins with; it is written with what the job holds, in one transaction. */
export const newJobRow = (table: string, job: Job) => ({
  Put: {
    TableName: table,
    Item: { ...job, active: shardOf(job.id) },
    ConditionExpression: 'attribute_not_exists(id)',
  },
});

export class JobStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #tellUnreadable: TellUnreadable;

  constructor(client: DynamoDBDocumentClient, table: string, tellUnreadable: TellUnreadable) {
    this.#client = client;
    this.#table = table;
    this.#tellUnreadable = tellUnreadable;
  }

  /** Consistent: once a caller has seen a state, it never sees an earlier one. */
  async find(id: string): Promise<Job | undefined> {
    const row = await this.#read(id);
    return row === undefined ? undefined : v.parse(jobSchema, row);
  }

  /** For callers: a row that cannot be read is shown as far as it can be. */
  async look(id: string): Promise<Job | undefined> {
    const row = await this.#read(id);
    if (row === undefined) return undefined;
    const { job, unread } = salvageJob(row);
    if (unread.length > 0) this.#tellUnreadable(id, unread);
    return job;
  }

  async #read(id: string): Promise<Record<string, unknown> | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { id }, ConsistentRead: true }),
    );
    return Item;
  }

  /** Newest first. Eventually consistent: a job just submitted may be missing for a moment; one that cannot be read is. */
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
      for (const job of readableRows(jobSchema, Items, this.#tellUnreadable)) {
        jobs.push(job);
        if (jobs.length === limit) return jobs;
      }
    }
    return jobs;
  }
}
