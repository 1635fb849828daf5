import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { conditionFailed, oldItem, refusedBy, transact } from '../../aws/dynamo-writes.ts';
import { defined } from '../../defined.ts';
import { type Account, isClosed, keyAccount } from '../../money/account.ts';
import type { AccountStore } from '../../money/account-store.ts';
import { type Activity, dayOfUsers } from '../../money/activity.ts';
import { micros } from '../../money/micros.ts';
import type { Log } from '../../telemetry/log.ts';
import type { WebhookEvent } from '../../webhooks/events/event.ts';
import { announceEvent, type EventQueue } from '../../webhooks/events/event-queue.ts';
import type { EventStore } from '../../webhooks/events/event-store.ts';
import { findOffer } from '../catalogue/catalogue.ts';
import { type Job, jobSchema } from './job.ts';
import { settlementEvent } from './job-event.ts';
import { type Step, transition } from './job-machine.ts';
import type { JobStore } from './job-store.ts';
import type { JobEvent } from './lifecycle.ts';

/** Somebody else has moved the job since it was read, and will also see it through. */
export class JobMoved extends Error {
  override readonly name = 'JobMoved';
}

/** The job's end has been reported, but its row does not know that: an older state of the table was restored. */
export class EndToldAlready extends Error {
  override readonly name = 'EndToldAlready';
}

export interface JobStepsStores {
  readonly jobs: Pick<JobStore, 'step' | 'cancelRequest'>;
  readonly events: Pick<EventStore, 'insertion'>;
  readonly accounts: Pick<AccountStore, 'read' | 'settle' | 'count' | 'countUncredited'>;
}

/** What a refused step needs to know of the row. */
const stepOfRow = v.object({ step: v.exactOptional(v.string()) });

/** A period changes once a day at most. */
const SETTLE_ATTEMPTS = 3;

/** Writes the machine's steps, each only if the job has not changed since it was read. */
export class JobSteps {
  readonly #client: DynamoDBDocumentClient;
  readonly #stores: JobStepsStores;

  constructor(client: DynamoDBDocumentClient, stores: JobStepsStores) {
    this.#client = client;
    this.#stores = stores;
  }

  /** @throws JobMoved when the job is no longer in the phase and at the link that were read */
  async apply(job: Job, step: Step): Promise<void> {
    try {
      await this.#client.send(new UpdateCommand(this.#stores.jobs.step(job, step).Update));
    } catch (cause) {
      if (!conditionFailed(cause)) throw cause;
      if (oldItem(cause, stepOfRow)?.step !== step.changes.step) throw new JobMoved(job.id, { cause });
    }
  }

  /**
   * Whether the key that submitted the job may spend, as its account is now. A check in the transaction of a step would
   * be older by the time of the call that it allows, and conflict with the holds of the same key.
   */
  async maySpend({ key_hash }: Job, now: Date): Promise<boolean> {
    const accounts = await this.#stores.accounts.read([keyAccount(key_hash)]);
    return !accounts.some((account) => isClosed(account, now));
  }

  /**
   * Notes in the job that its cancellation was asked for. A worker may be busy with the job; none of its steps is
   * undone by this.
   * @returns the job as it is then
   * @throws JobMoved when no provider has the job
   */
  async requestCancel({ id }: Job, now: Date): Promise<Job> {
    const request = this.#stores.jobs.cancelRequest(id, now).Update;
    try {
      const { Attributes } = await this.#client.send(
        new UpdateCommand({ ...request, ReturnValues: 'ALL_NEW' }),
      );
      return v.parse(jobSchema, Attributes);
    } catch (cause) {
      if (conditionFailed(cause)) throw new JobMoved(id, { cause });
      throw cause;
    }
  }

  /**
   * Writes the last step, its event and the end of the job's holds, all or nothing: a final state without an event, an
   * event without its state, or a hold without a job cannot exist.
   *
   * @throws JobMoved as `apply` does; EndToldAlready when there is an event of its end although it has not ended
   */
  async settle(job: Job, step: Step, event: WebhookEvent): Promise<void> {
    let accounts: Account[] | undefined;
    for (let attempt = 0; attempt < SETTLE_ATTEMPTS; attempt++) {
      if (await this.#tryToSettle(job, step, event, accounts)) return;
      accounts = await this.#stores.accounts.read(job.holds.map(({ account }) => account));
    }
    throw new Error(
      `the accounts of ${job.id} changed ${SETTLE_ATTEMPTS} times while the job was being settled`,
    );
  }

  /** False when an account differs from what was assumed. */
  async #tryToSettle(job: Job, step: Step, event: WebhookEvent, known?: Account[]): Promise<boolean> {
    const { jobs, events, accounts } = this.#stores;
    const cost = { micros: step.changes.cost_micros ?? micros(0), isByok: job.is_byok };
    try {
      await transact(this.#client, {
        job: jobs.step(job, step),
        event: events.insertion(event),
        account: accounts.settle(job.holds, cost, known),
        uncredited: accounts.countUncredited(job.holds, job.workspace_id, cost),
        activity: activitiesOf({ ...job, ...step.changes }).map((each) => accounts.count(each)),
      });
      return true;
    } catch (cause) {
      if (oldItem(cause, stepOfRow, 'job')?.step === step.changes.step) return true;
      if (refusedBy(cause, 'job')) throw new JobMoved(job.id, { cause });
      if (refusedBy(cause, 'event')) throw new EndToldAlready(job.id, { cause });
      if (refusedBy(cause, 'account')) return false;
      throw cause;
    }
  }
}

/** What a job that has just ended adds to the reports of its day. */
export function activityOf(job: Job): Activity {
  const isCompleted = job.status === 'completed';
  const cost = job.cost_micros ?? micros(0);
  return {
    day: (job.completed_at ?? job.updated_at).slice(0, 10),
    workspace_id: job.workspace_id,
    key_hash: job.key_hash,
    model: job.model,
    provider: job.provider ?? findOffer(job.model)?.provider ?? 'unknown',
    jobs: 1,
    completed: isCompleted ? 1 : 0,
    seconds: isCompleted ? (job.duration_seconds ?? job.request?.duration_seconds ?? 0) : 0,
    micros: cost,
    byok_micros: job.is_byok === true ? cost : micros(0),
    ...defined({ endpoint: job.endpoint }),
  };
}

/** The same, and once more for the user that the job names. */
export function activitiesOf(job: Job): Activity[] {
  const activity = activityOf(job);
  if (job.user === undefined) return [activity];
  return [activity, { ...activity, day: dayOfUsers(activity.day), user: job.user }];
}

export interface SettlePorts {
  readonly steps: Pick<JobSteps, 'settle'>;
  readonly eventQueue: EventQueue;
  readonly now: () => Date;
  /** Returns a new name each time. */
  readonly newStepName: () => string;
  /** By final status, and `moderated` for what the provider’s moderation refused. */
  readonly countSettled: (outcome: string, job: Job) => void;
  readonly log: Log;
}

/**
 * Ends a job. Commits first and sends then: the end must be true before anyone hears of it. If a crash comes in
 * between, the sweeper sends.
 * @throws JobMoved when the job has changed since it was read
 */
export async function settleJob(job: Job, event: JobEvent, ports: SettlePorts): Promise<Job> {
  const now = ports.now();
  const step = transition(job, event, now, ports.newStepName());
  const settled = { ...job, ...step.changes };
  const outbox = settlementEvent(settled, now);
  await ports.steps.settle(job, step, outbox);
  const outcome = event.type === 'failed' && event.moderated ? 'moderated' : settled.status;
  ports.countSettled(outcome, settled);
  const { id, provider, error_kind: failure } = settled;
  ports.log.info('job settled', { job_id: id, outcome, provider, failure: failure?.type });
  await announceEvent(outbox, ports.eventQueue, ports.log);
  return settled;
}
