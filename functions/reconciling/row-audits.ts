import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet } from '../aws/dynamo-reads.ts';
import type { NamedItems } from '../aws/dynamo-writes.ts';
import { QUARANTINED } from '../sweeping/sparse-index.ts';
import { type Job, leaseEnd } from '../videos/jobs/job.ts';
import { settlementEvent } from '../videos/jobs/job-event.ts';
import { isRequestRow } from '../videos/jobs/job-request.ts';
import { salvageJob, UNKNOWN_WORKSPACE } from '../videos/jobs/salvage-job.ts';
import { isGivenUpBy } from '../videos/jobs/sweep-job.ts';
import { EVENT_ROWS, eventIdOf } from '../webhooks/events/event.ts';
import type { EventStore } from '../webhooks/events/event-store.ts';
import { findWrongMark } from './active-marks.ts';
import type { Audit, Finding, Row } from './audit.ts';

/** An event's row expires after thirty days; on the last day nothing can be concluded from its absence. */
const EVENT_MILLISECONDS = 29 * 86_400_000;

export interface JobAuditPorts {
  readonly client: DynamoDBDocumentClient;
  readonly jobsTable: string;
  readonly eventsTable: string;
  readonly events: Pick<EventStore, 'insertion'>;
  readonly now: () => Date;
}

const openSchema = v.object({
  id: v.string(),
  phase: v.fallback(v.optional(v.string()), undefined),
  step: v.fallback(v.optional(v.string()), undefined),
  deadline_at: v.number(),
  due_at: v.fallback(v.number(), 0),
  leased_until: v.fallback(v.number(), 0),
  sweeps: v.fallback(v.number(), 0),
  /** The release from quarantine gives a job the same time again as its deadline did. */
  released_at: v.fallback(v.number(), 0),
});

/** Checks that jobs end in time, and that whoever waits for the end is told. */
export class JobAudit implements Audit {
  readonly name = 'jobs';
  readonly key = 'id';
  readonly table: string;
  readonly #ports: JobAuditPorts;

  constructor(ports: JobAuditPorts) {
    this.#ports = ports;
    this.table = ports.jobsTable;
  }

  async look(all: readonly Row[]): Promise<Finding[]> {
    const rows = all.filter((row) => !isRequestRow(row));
    const now = this.#ports.now();
    const marks = { table: this.table, state: 'phase', isOpen: isOpenPhase, now };
    const alone = rows.flatMap((row) => [...findWrongMark(row, marks), ...ofDeadline(row, now)]);
    return [...alone, ...(await this.#withoutEvent(rows))];
  }

  async #withoutEvent(rows: readonly Row[]): Promise<Finding[]> {
    const { client, eventsTable, now } = this.#ports;
    const since = new Date(now().getTime() - EVENT_MILLISECONDS).toISOString();
    const ended = rows
      // Of a purged job nobody is told any more: its event was deleted with its workspace.
      .filter(({ phase, purged_at }) => !isOpenPhase(phase) && purged_at === undefined)
      .map((row) => salvageJob(row))
      .filter(({ job }) => job.workspace_id !== UNKNOWN_WORKSPACE && (job.completed_at ?? '') > since);
    if (ended.length === 0) return [];
    const ids = ended.map(({ job }) => ({ id: eventIdOf(job.id) }));
    const told = new Set((await batchGet(client, eventsTable, ids)).map(({ id }) => id));
    return ended
      .filter(({ job }) => !told.has(eventIdOf(job.id)))
      .map(({ job, unread }) => ({
        id: job.id,
        problem: 'it has ended without an event',
        facts: { status: job.status, step: job.step },
        ...(unread.length > 0 ? {} : { repair: this.#telling(job) }),
      }));
  }

  /** The event of the job's end, as far as the row still tells of it. */
  #telling(job: Job): NamedItems {
    const condition = {
      TableName: this.table,
      Key: { id: job.id },
      ConditionExpression: '#phase = :settled AND #status = :status',
      ExpressionAttributeNames: { '#phase': 'phase', '#status': 'status' },
      ExpressionAttributeValues: { ':settled': 'settled', ':status': job.status },
    };
    const event = this.#ports.events.insertion(settlementEvent(job, this.#ports.now()));
    return { job: { ConditionCheck: condition }, event };
  }
}

const isOpenPhase = (phase: unknown): boolean => phase !== 'settled';

/** The sweeper ends or quarantines late jobs. A job that it has missed is reported, and still left to the sweeper. */
function ofDeadline(row: Row, now: Date): Finding[] {
  if (!isOpenPhase(row.phase)) return [];
  const read = v.safeParse(openSchema, row);
  if (!read.success) return [];
  const { id, phase, step, deadline_at, released_at, due_at, sweeps } = read.output;
  // A worker has it until then, such as one that copies the result. Rows of older versions say that in `due_at`.
  if (now.getTime() < Math.max(leaseEnd(read.output), sweeps === 0 ? due_at : 0)) return [];
  if (now.getTime() < isGivenUpBy(Math.max(deadline_at, released_at))) return [];
  return [{ id, problem: 'it is open ten minutes after its deadline', facts: { phase, step, deadline_at } }];
}

/** The sweeper looks at each due event every few minutes, and puts it off each time. */
const NEGLECTED_MILLISECONDS = 3_600_000;

export interface EventAuditPorts {
  readonly eventsTable: string;
  readonly events: Pick<EventStore, 'markLost'>;
  readonly now: () => Date;
}

/** Checks that every receiver is sent what it should get, and that what was not delivered can be recovered. */
export class EventAudit implements Audit {
  readonly name = 'events';
  readonly key = 'id';
  readonly table: string;
  readonly #ports: EventAuditPorts;

  constructor(ports: EventAuditPorts) {
    this.#ports = ports;
    this.table = ports.eventsTable;
  }

  async look(rows: readonly Row[]): Promise<Finding[]> {
    const now = this.#ports.now();
    const marks = { table: this.table, state: 'status', isOpen, now };
    return rows.flatMap((row) => [
      ...findWrongMark(row, marks),
      ...ofNeglect(row, now),
      ...this.#ofLost(row),
    ]);
  }

  #ofLost({ id, status, job_id, workspace_id, lost_in }: Row): Finding[] {
    const isLost = (status === 'failed' || status === 'no_address') && job_id !== undefined;
    if (!isLost || lost_in !== undefined) return [];
    if (typeof id !== 'string' || typeof workspace_id !== 'string') return [];
    const repair = { event: this.#ports.events.markLost(id, workspace_id, status) };
    return [{ id, problem: 'it was not delivered, and cannot be recovered', facts: { status }, repair }];
  }
}

/** An unknown status counts as open, until the sweeper has quarantined the row. */
const isOpen = (status: unknown): boolean => !EVENT_ROWS.ended.some((ended) => ended === status);

function ofNeglect({ id, status, active, attempts, due_at }: Row, now: Date): Finding[] {
  if (!isOpen(status) || typeof id !== 'string' || typeof due_at !== 'number') return [];
  if (active === QUARANTINED) return [];
  if (now.getTime() < due_at + NEGLECTED_MILLISECONDS) return [];
  return [
    {
      id,
      problem: 'it has been due for an hour, and no worker or sweeper has moved it',
      facts: { attempts, due_at },
    },
  ];
}
