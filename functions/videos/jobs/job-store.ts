import { DeleteCommand, type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import {
  batchGet,
  justBefore,
  type Listing,
  type Page,
  readableRows,
  readPage,
  type TellUnreadable,
} from '../../aws/dynamo-reads.ts';
import { setExpression, type TransactItem, updateWhere } from '../../aws/dynamo-writes.ts';
import { type AuthenticatedCall, query } from '../../http/call.ts';
import { NotFound } from '../../http/errors.ts';
import { mayActIn } from '../../http/scope.ts';
import { firstVideoId } from '../../ids.ts';
import { shardOf } from '../../sweeping/sparse-index.ts';
import type { unmoved } from '../../sweeping/swept-rows.ts';
import { JOBS_BY_STATUS, JOBS_BY_WORKSPACE } from '../../tables.ts';
import { type ByIdOrSlug, lookUp } from '../../workspaces/find-workspace.ts';
import type { RequestedVideo } from '../catalogue/requested-video.ts';
import { VIDEO_ID } from '../video-id.ts';
import {
  type Job,
  type JobStatus,
  type JobWithRequest,
  jobSchema,
  listedAs,
  type Stills,
  storedWait,
} from './job.ts';
import type { Step } from './job-machine.ts';
import { jobQuery } from './job-queries.ts';
import { requestAt, requestId, requestRow, requestRowSchema } from './job-request.ts';
import { salvageJob } from './salvage-job.ts';
import { shortHold } from './stored-holds.ts';

/** Reads jobs, and makes the writes that create and move them. */
export class JobStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #tellUnreadable: TellUnreadable;

  constructor(client: DynamoDBDocumentClient, table: string, tellUnreadable: TellUnreadable) {
    this.#client = client;
    this.#table = table;
    this.#tellUnreadable = tellUnreadable;
  }

  /** Removes what was asked of the provider of an ended job. */
  removeRequest = (id: string): Promise<void> => this.#remove(requestId({ id }));

  /**
   * Removes an ended job's own row, which nobody works on any more. It is removed last: until then the job can be
   * deleted again.
   */
  remove = (id: string): Promise<void> => this.#remove(id);

  async #remove(id: string): Promise<void> {
    await this.#client.send(new DeleteCommand({ TableName: this.#table, Key: { id } }));
  }

  /** Reads consistently: a caller who has seen a state never sees an earlier one. */
  async find(id: string): Promise<Job | undefined> {
    const row = await this.#read(id);
    return row === undefined ? undefined : v.parse(jobSchema, row);
  }

  /** What is asked of the provider that the job is at. */
  async requestOf(job: Job): Promise<RequestedVideo> {
    return job.request ?? requestAt(job, v.parse(requestRowSchema, await this.#read(requestId(job))));
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

  /**
   * Newest first, unless the filter says otherwise. Eventually consistent: a job just submitted may be missing for a
   * moment, and a job that cannot be read is missing. The indexes only tell which jobs to read. A job that has moved on
   * since is left out if its status no longer fits.
   */
  async list(workspaceId: string, filter: JobFilter, limit: number): Promise<Page<Job>> {
    const { status } = filter;
    const listing = {
      ...listingOf(workspaceId, filter),
      table: this.#table,
      tellUnreadable: this.#tellUnreadable,
    };
    const { rows, cursor } = await readPage(this.#client, listing, limit);
    const items = await batchGet(this.#client, this.#table, rows);
    const inOrder = rows.flatMap(({ id }) => items.filter((item) => item.id === id));
    const jobs = [...readableRows(jobSchema, inOrder, this.#tellUnreadable)];
    return { rows: jobs.filter((job) => status === undefined || job.status === status), cursor };
  }

  /** Of a completed job. @returns false where the job, or what is left of it, has no outputs any more */
  addStills(id: string, stills: readonly Stills[]): Promise<boolean> {
    return updateWhere(this.#client, {
      TableName: this.#table,
      Key: { id },
      UpdateExpression: 'SET #stills = :stills',
      ConditionExpression: 'attribute_exists(#outputs)',
      ExpressionAttributeNames: { '#stills': 'stills', '#outputs': 'outputs' },
      ExpressionAttributeValues: { ':stills': stills },
    });
  }

  /** For a transaction that needs what the job has asked for to be there still. */
  whileRequested(job: Job): TransactItem {
    const id = job.request === undefined ? requestId(job) : job.id;
    const ConditionExpression = 'attribute_exists(id)';
    return { ConditionCheck: { TableName: this.#table, Key: { id }, ConditionExpression } };
  }

  /** The rows that a new job begins with, for the transaction that also takes its holds. */
  insertion(job: JobWithRequest) {
    const { request: _, other_options: __, ...state } = job;
    const holds = job.holds.map((hold) => shortHold(hold, job));
    const row = { ...state, holds, ...listedAs(job.workspace_id, job.status), active: shardOf(job.id) };
    return [row, requestRow(job)].map((Item) => ({
      Put: { TableName: this.#table, Item, ConditionExpression: 'attribute_not_exists(id)' },
    }));
  }

  /** Replaces a row that still meets the condition. */
  replacement(row: Record<string, unknown>, condition: ReturnType<typeof unmoved>) {
    return { Put: { TableName: this.#table, Item: row, ...condition } };
  }

  /** Refused, and the row returned as it is, when the job has changed since it was read. */
  step(job: Job, { changes }: Step) {
    const { phase, status } = changes;
    const listing = status === undefined ? {} : listedAs(job.workspace_id, status);
    const { set, names, values } = setExpression({ ...changes, ...storedWait(changes), ...listing });
    // The sweeper does not look for jobs that have ended.
    const leave = phase === 'settled' ? ' REMOVE active' : '';
    return {
      Update: {
        TableName: this.#table,
        Key: { id: job.id },
        UpdateExpression: `${set}${leave}`,
        // In rows of older versions steps have no name.
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

  /**
   * Counts a callback of the job's current submit. No worker's step depends on what this changes.
   * @param most of one submit that count
   * @returns false when it is of no use: the job has ended, or another submit was begun, or enough have come
   */
  noteCallback(id: string, submit: number, most: number): Promise<boolean> {
    return updateWhere(this.#client, {
      TableName: this.#table,
      Key: { id },
      UpdateExpression: 'SET #callbacks = if_not_exists(#callbacks, :none) + :one',
      ConditionExpression:
        '#submits = :submit AND #phase IN (:submitting, :polling, :made, :copying) AND ' +
        '(attribute_not_exists(#callbacks) OR #callbacks < :most)',
      ExpressionAttributeNames: { '#callbacks': 'callbacks', '#submits': 'submits', '#phase': 'phase' },
      ExpressionAttributeValues: {
        ...{ ':none': 0, ':one': 1, ':most': most, ':submit': submit },
        ...{ ':submitting': 'submitting', ':polling': 'polling', ':made': 'made', ':copying': 'copying' },
      },
    });
  }

  /** Refused when no provider has the job. */
  cancelRequest(id: string, now: Date) {
    return {
      Update: {
        TableName: this.#table,
        Key: { id },
        UpdateExpression: 'SET #asked = if_not_exists(#asked, :now)',
        ConditionExpression:
          '#phase IN (:submitting, :polling) OR (#phase = :queued AND #may_be_taken = :true)',
        ExpressionAttributeNames: {
          '#asked': 'cancel_requested_at',
          '#phase': 'phase',
          '#may_be_taken': 'may_be_taken',
        },
        ExpressionAttributeValues: {
          ':now': now.toISOString(),
          ':queued': 'queued',
          ':true': true,
          ':submitting': 'submitting',
          ':polling': 'polling',
        },
      },
    };
  }
}

/** Below and above every id. */
const FIRST_ID = 'vid_';
const LAST_ID = 'vid_{';

export interface JobFilter {
  readonly status?: JobStatus | undefined;
  readonly model?: string | undefined;
  /** The hash of the key that submitted it. */
  readonly key?: string | undefined;
  /** Only jobs of this time or later. */
  readonly since?: Date | undefined;
  /** Only jobs before this time. */
  readonly until?: Date | undefined;
  /** Only jobs older than this one. */
  readonly before?: string | undefined;
  /** Only jobs newer than this one. */
  readonly after?: string | undefined;
  readonly oldestFirst?: boolean;
}

const idSchema = v.object({ id: v.string() });

/** The part of an index in which the filter finds its jobs. An id says when its job was submitted. */
export function listingOf(
  workspaceId: string,
  { status, model, key, since, until, before, after, oldestFirst = false }: JobFilter,
): Omit<Listing<typeof idSchema>, 'table' | 'tellUnreadable'> {
  // All ids have one length, so the next id is greater than this one with anything behind it.
  const begins = [after && `${after}0`, since && firstVideoId(since)].filter((id) => id !== undefined);
  const ends = [before, until && firstVideoId(until)].filter((end) => end !== undefined).map(justBefore);
  return {
    index: status === undefined ? JOBS_BY_WORKSPACE : JOBS_BY_STATUS,
    partition:
      status === undefined
        ? ['workspace_id', workspaceId]
        : ['workspace_status', listedAs(workspaceId, status).workspace_status],
    schema: idSchema,
    sortKey: 'id',
    from: begins.toSorted().at(-1) ?? FIRST_ID,
    to: ends.toSorted()[0] ?? LAST_ID,
    oldestFirst,
    where: { model, key_hash: key },
  };
}

/**
 * The job that a path names, if the caller may see it, and if it belongs to the workspace that the query names, if any.
 * The answer is the same for somebody else's job and for one that does not exist.
 */
export async function findVisibleJob(
  call: AuthenticatedCall<{ video: string }>,
  jobs: Pick<JobStore, 'look'>,
  workspaces: ByIdOrSlug<{ readonly id: string }>,
  notFound: () => NotFound = jobNotFound,
): Promise<Job> {
  const { path, principal } = call;
  const job = VIDEO_ID.test(path.video) ? await jobs.look(path.video) : undefined;
  if (job === undefined || !mayActIn(principal, job.workspace_id)) throw notFound();
  const { workspace_id: named = job.workspace_id } = query(call, jobQuery);
  if (named.toLowerCase() !== job.workspace_id) {
    const workspace = await lookUp(workspaces, named);
    if (workspace?.id !== job.workspace_id) throw notFound();
  }
  return job;
}

const jobNotFound = () => new NotFound('No such video job');
