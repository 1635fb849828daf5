import { type DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet } from '../../aws/dynamo-reads.ts';
import { removeRows } from '../../aws/dynamo-writes.ts';
import { JOBS_BY_WORKSPACE } from '../../tables.ts';
import type { PurgedJobs, StrippedJobs } from '../../workspaces/remove-workspace.ts';
import { type Job, jobRowSchema } from './job.ts';
import { requestId } from './job-request.ts';
import { salvageJob } from './salvage-job.ts';

/** What reports show of a job: ids, the model, times and the cost; and what it takes to read the row at all. */
const reportedSchema = v.pick(jobRowSchema, [
  'id',
  'workspace_id',
  'key_hash',
  'model',
  'endpoint_of',
  'endpoint',
  'provider',
  'is_byok',
  'upstream_id',
  'generation_id',
  'duration_seconds',
  'size',
  'estimate_micros',
  'cost_micros',
  'upstream_cost_micros',
  'data_discount',
  'status',
  'error_kind',
  'phase',
  'seq',
  'submits',
  'polls',
  'due_at',
  'deadline_at',
  'created_at',
  'updated_at',
  'completed_at',
  'expires_at',
]);

/** In place of what a provider said: that may quote the prompt. */
const ERROR = 'The reason was deleted with the workspace';

/** The row of an ended job of a deleted workspace: a list of what stays, so that no new field stays by accident. */
export const strippedRow = (job: Job, now: Date): Job => ({
  ...v.parse(reportedSchema, job),
  ...(job.error === undefined ? {} : { error: ERROR }),
  history: job.history.map(({ detail: _, ...milestone }) => milestone),
  alternatives: [],
  holds: [],
  link: '',
  step: '',
  sweeps: 0,
  unusable_copies: 0,
  public_url: '',
  purged_at: now.toISOString(),
});

/** What one batch reads. */
const JOBS_A_CALL = 100;
/** Less than every id. */
const FIRST_ID = 'vid_';

export interface JobPurgePorts {
  /** Removes what the job's provider has put into a bucket of the deployment's. */
  readonly removeUpstream: (job: Job) => Promise<void>;
  readonly now: () => Date;
}

/** The jobs of deleted workspaces. */
export class JobPurge implements PurgedJobs {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #ports: JobPurgePorts;

  constructor(client: DynamoDBDocumentClient, table: string, ports: JobPurgePorts) {
    this.#client = client;
    this.#table = table;
    this.#ports = ports;
  }

  async stripSome(workspaceId: string, after: string | undefined, endedBefore: Date): Promise<StrippedJobs> {
    const ids = await this.#idsAfter(workspaceId, after);
    const rows = await batchGet(
      this.#client,
      this.#table,
      ids.map((id) => ({ id })),
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    const found = ids.map((id) => byId.get(id));
    const open = found.findIndex((row) => row !== undefined && !isOver(row, endedBefore));
    const count = open === -1 ? ids.length : open;
    const over = found.slice(0, count).filter((row) => row !== undefined);
    const left = over.filter(({ purged_at }) => purged_at === undefined);
    await this.#strip(left.map((row) => salvageJob(row).job));
    const rest = ids.length < JOBS_A_CALL ? 'none' : 'more';
    return { last: ids[count - 1], left: open === -1 ? rest : 'open' };
  }

  async #idsAfter(workspaceId: string, after = FIRST_ID): Promise<string[]> {
    const { Items = [] } = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        IndexName: JOBS_BY_WORKSPACE,
        KeyConditionExpression: 'workspace_id = :workspace AND id > :after',
        ExpressionAttributeValues: { ':workspace': workspaceId, ':after': after },
        ProjectionExpression: 'id',
        Limit: JOBS_A_CALL,
      }),
    );
    return v.parse(v.array(v.object({ id: v.string() })), Items).map(({ id }) => id);
  }

  /** The jobs' own rows come last: after a crash they still lead to the rest. */
  async #strip(jobs: readonly Job[]): Promise<void> {
    await Promise.all(jobs.map((job) => this.#ports.removeUpstream(job)));
    const requests = jobs.map((job) => ({ id: requestId(job) }));
    await removeRows(this.#client, this.#table, requests);
    await Promise.all(jobs.map((job) => this.#replace(job)));
  }

  /** @throws an error when somebody has let the job begin again, out of quarantine: then its end is waited for */
  async #replace(job: Job): Promise<void> {
    await this.#client.send(
      new PutCommand({
        TableName: this.#table,
        Item: strippedRow(job, this.#ports.now()),
        ConditionExpression: '#phase = :settled',
        ExpressionAttributeNames: { '#phase': 'phase' },
        ExpressionAttributeValues: { ':settled': 'settled' },
      }),
    );
  }
}

/** Whether a job has ended so long ago that no worker can write for it any more, not even one that copies its result. */
function isOver(row: Record<string, unknown>, endedBefore: Date): boolean {
  const { completed_at, updated_at } = salvageJob(row).job;
  // Salvage shows a damaged row as ended even where it has not.
  return row.phase === 'settled' && Date.parse(completed_at ?? updated_at) < endedBefore.getTime();
}
