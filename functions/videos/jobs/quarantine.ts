import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { refusedBy, type TransactItem, transact } from '../../aws/dynamo-writes.ts';
import { type Account, emptyAccount } from '../../money/account.ts';
import type { AccountStore } from '../../money/account-store.ts';
import { micros } from '../../money/micros.ts';
import { type QuarantinedRow, QuarantinedRows, quarantinedRow } from '../../sweeping/quarantined-rows.ts';
import { QUARANTINED } from '../../sweeping/sparse-index.ts';
import { type OverdueRow, unmoved } from '../../sweeping/swept-rows.ts';
import type { Log } from '../../telemetry/log.ts';
import { eventIdOf } from '../../webhooks/events/event.ts';
import type { EventStore } from '../../webhooks/events/event-store.ts';
import { type Job, listedAs } from './job.ts';
import { settlementEvent } from './job-event.ts';
import { failures } from './job-failure.ts';
import { transition } from './job-machine.ts';
import { activitiesOf } from './job-steps.ts';
import type { JobStore } from './job-store.ts';
import { salvageJob, UNKNOWN_WORKSPACE } from './salvage-job.ts';

/** Shown to callers. */
const ERROR = 'The job could not continue; it is not charged';

/** Money or an event may change in between, but not more often than this. */
const ATTEMPTS = 4;

export interface QuarantineStores {
  readonly jobs: Pick<JobStore, 'replacement'>;
  readonly events: Pick<EventStore, 'insertion'>;
  readonly accounts: Pick<AccountStore, 'readOne' | 'settle' | 'count'>;
}

/**
 * Takes in jobs that cannot go on: they end for their callers, and their rows stay as they were for whoever looks for
 * the cause.
 */
export class Quarantine {
  readonly #client: DynamoDBDocumentClient;
  readonly #stores: QuarantineStores;
  readonly #log: Pick<Log, 'error'>;

  constructor(client: DynamoDBDocumentClient, stores: QuarantineStores, log: Pick<Log, 'error'>) {
    this.#client = client;
    this.#stores = stores;
    this.#log = log;
  }

  /**
   * Ends a job as failed, with the event of its end and, where the accounts can be read, the end of its holds. If there
   * is an event already, it stays as it is.
   * @returns false when somebody has moved the job since it was read
   */
  async add(overdue: OverdueRow, reason: string, now: Date): Promise<boolean> {
    const { job } = salvageJob(overdue.row);
    const end = { type: 'failed', reason: ERROR, failure: failures.internal } as const;
    const { changes } = transition({ ...job, phase: 'queued' }, end, now, QUARANTINED);
    const failed: Job = { ...job, ...changes };
    const listed = { ...failed, ...listedAs(failed.workspace_id, failed.status) };
    const ended = quarantinedRow(overdue.row, listed, reason, now);
    const row = this.#stores.jobs.replacement(ended, unmoved(overdue));
    let tellsEnd = job.workspace_id !== UNKNOWN_WORKSPACE;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const told = tellsEnd ? this.#told(failed, now) : {};
      try {
        await transact(this.#client, { job: row, ...told, account: await this.#release(job) });
        return true;
      } catch (error) {
        if (refusedBy(error, 'job')) return false;
        if (!refusedBy(error, 'event', 'account')) throw error;
        if (refusedBy(error, 'event')) tellsEnd = false;
      }
    }
    throw new Error(
      `the accounts of ${job.id} changed ${ATTEMPTS} times while the job was being quarantined`,
    );
  }

  /** An end that has been told already has been counted too. */
  #told(failed: Job, now: Date) {
    const { events, accounts } = this.#stores;
    return {
      event: events.insertion(settlementEvent(failed, now)),
      activity: activitiesOf(failed).map((each) => accounts.count(each)),
    };
  }

  async #release({ id, holds, is_byok: isByok }: Job): Promise<TransactItem[]> {
    const accounts = await Promise.all(holds.map(({ account }) => this.#soundAccount(id, account)));
    return this.#stores.accounts.settle(holds, { micros: micros(0), isByok }, accounts);
  }

  /** From an account that cannot be read nothing is released. */
  async #soundAccount(jobId: string, account: string): Promise<Account> {
    try {
      return await this.#stores.accounts.readOne(account);
    } catch (error) {
      if (!(error instanceof v.ValiError)) throw error;
      this.#log.error('money not released', { job_id: jobId, account, error });
      return emptyAccount(account);
    }
  }
}

/** Operators reach the tables with their own credentials, by the stage's outputs. */
interface QuarantineTables {
  readonly jobs: string;
  readonly events: string;
}

/** The quarantine of jobs, as operators see it. */
export class QuarantinedJobs {
  readonly #client: DynamoDBDocumentClient;
  readonly #tables: QuarantineTables;
  readonly #rows: QuarantinedRows;

  constructor(client: DynamoDBDocumentClient, tables: QuarantineTables) {
    this.#client = client;
    this.#tables = tables;
    this.#rows = new QuarantinedRows(client, tables.jobs);
  }

  list = (): AsyncGenerator<QuarantinedRow> => this.#rows.list();

  /**
   * Lets workers try again: the job is as it was, and due at once. The event of its end is taken back, so that its new
   * end can be reported, as another event. Its money stays released: it holds nothing any more.
   * @returns false when there is no such job in quarantine
   */
  async release(id: string, now: Date): Promise<boolean> {
    const job = await this.#rows.releasing(id, { holds: [], released_at: now.getTime() }, now);
    if (job === undefined) return false;
    const event = { Delete: { TableName: this.#tables.events, Key: { id: eventIdOf(id) } } };
    await transact(this.#client, { job, event });
    return true;
  }
}
