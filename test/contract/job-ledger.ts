import { randomUUID } from 'node:crypto';
import { type DynamoDBDocumentClient, GetCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type NamedItems, transact } from '../../functions/aws/dynamo-writes.ts';
import {
  type Account,
  guardrailAccount,
  keyAccount,
  workspaceAccount,
} from '../../functions/money/account.ts';
import { AccountBook } from '../../functions/money/account-book.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import { withLimit } from '../../functions/money/account-update.ts';
import type { LeaseStore, WholeCredits } from '../../functions/money/lease-store.ts';
import { micros } from '../../functions/money/micros.ts';
import type { Interval } from '../../functions/money/period.ts';
import { acceptJob } from '../../functions/videos/jobs/accept-job.ts';
import { type Job, jobSchema } from '../../functions/videos/jobs/job.ts';
import { settlementEvent } from '../../functions/videos/jobs/job-event.ts';
import { transition } from '../../functions/videos/jobs/job-machine.ts';
import { JobSteps } from '../../functions/videos/jobs/job-steps.ts';
import { JobStore } from '../../functions/videos/jobs/job-store.ts';
import { EventStore } from '../../functions/webhooks/events/event-store.ts';
import { createTable } from '../engines/conformance/index.ts';
import { aJob } from '../videos/jobs/job-fixture.ts';

type Tables = { readonly jobs: string; readonly events: string; readonly accounts: string };

/** Jobs and their money in separate tables, with a clock that the test sets. */
export class JobLedger {
  #now = () => new Date('2030-01-01T00:00:00Z');
  readonly #client: DynamoDBDocumentClient;
  readonly tables: Tables;
  readonly #jobStore: JobStore;
  readonly #book: AccountBook;
  readonly #accounts: AccountStore;
  #jobs = 0;

  static async create(client: DynamoDBDocumentClient): Promise<JobLedger> {
    const [jobs, events, accounts] = await Promise.all(
      ['id', 'id', 'account'].map((key) => createTable(client, key)),
    );
    return new JobLedger(client, { jobs: jobs ?? '', events: events ?? '', accounts: accounts ?? '' });
  }

  constructor(client: DynamoDBDocumentClient, tables: Tables) {
    this.#client = client;
    this.tables = tables;
    this.#jobStore = new JobStore(client, tables.jobs, () => undefined);
    this.#accounts = new AccountStore(client, tables.accounts);
    this.#book = new AccountBook(this.#accounts, () => this.now);
  }

  get now(): Date {
    return this.#now();
  }

  set now(at: Date) {
    this.#now = () => at;
  }

  /** The same tables, used by another process. @param now by default this ledger's time */
  beside(client: DynamoDBDocumentClient, now?: () => Date): JobLedger {
    const other = new JobLedger(client, this.tables);
    const { now: at } = this;
    other.#now = now ?? (() => at);
    return other;
  }

  /** Accepts a job at this price. By default its id is its number. */
  async accept(
    owner: { key: string; workspace: string; guardrail?: string },
    price: number,
    also: NamedItems = {},
    change: Partial<Job> = {},
  ): Promise<Job> {
    this.#jobs++;
    const job = aJob({
      id: `vid_${String(this.#jobs).padStart(26, '0')}`,
      key_hash: owner.key,
      workspace_id: owner.workspace,
      estimate_micros: micros(price),
      ...(owner.guardrail === undefined ? {} : { guardrail_id: owner.guardrail }),
      ...change,
    });
    return acceptJob(job, also, {
      client: this.#client,
      jobs: this.#jobStore,
      accounts: this.#accounts,
      book: this.#book,
      now: () => this.now,
    });
  }

  /**
   * Ends a job at this cost, or without success if the cost is undefined. @throws JobMoved if the job has ended already
   */
  async settle(job: Job, cost: number | undefined): Promise<void> {
    const polling: Job = { ...job, phase: cost === undefined ? 'polling' : 'copying' };
    const step = transition(
      polling,
      cost === undefined
        ? { type: 'failed', reason: 'It fell over' }
        : { type: 'completed', outputs: [], keptDays: 30, costMicros: micros(cost) },
      this.now,
      randomUUID(),
    );
    await this.steps.settle(job, step, settlementEvent({ ...polling, ...step.changes }, this.now));
  }

  get steps(): JobSteps {
    const events = new EventStore(this.#client, this.tables.events);
    return new JobSteps(this.#client, { jobs: this.#jobStore, events, accounts: this.#accounts });
  }

  async eventTypes(jobId: string): Promise<unknown[]> {
    const { Items = [] } = await this.#client.send(
      new ScanCommand({ TableName: this.tables.events, ConsistentRead: true }),
    );
    return Items.filter(({ job_id }) => job_id === jobId).map(({ type }) => type);
  }

  async limit(account: string, interval: Interval, amount: number | undefined): Promise<void> {
    const before = await this.#accounts.readOne(account);
    const limit = amount === undefined ? undefined : micros(amount);
    const change = { limits: withLimit(before, interval, limit, this.now), countsByok: false };
    await transact(this.#client, { account: this.#accounts.changeLimits(before, change) });
  }

  account(id: string): Promise<Account> {
    return this.#accounts.readOne(id);
  }

  get leases(): LeaseStore {
    return this.#accounts.leases;
  }

  /** All credits, lent or not. */
  credits(): Promise<WholeCredits> {
    return this.leases.whole(this.now);
  }

  async job(id: string): Promise<Job> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.tables.jobs, Key: { id }, ConsistentRead: true }),
    );
    return v.parse(jobSchema, Item);
  }
}

export const newOwner = () => {
  const owner = { key: crypto.randomUUID(), workspace: crypto.randomUUID() };
  return { ...owner, accounts: [keyAccount(owner.key), workspaceAccount(owner.workspace)] as const };
};

/** An owner whose workspace has a guardrail with a limit. */
export const newGuardedOwner = () => {
  const owner = newOwner();
  const guardrail = crypto.randomUUID();
  return { ...owner, guardrail, accounts: [...owner.accounts, guardrailAccount(guardrail)] as const };
};
