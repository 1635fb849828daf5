import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { conditionFailed, oldItem } from '../../aws/conditions.ts';
import { transact } from '../../aws/transact.ts';
import { AccountStore } from '../../money/account-store.ts';
import type { Hold } from '../../money/hold.ts';
import type { Interval } from '../../money/period.ts';
import { settleUpdate } from '../../money/settle-update.ts';
import { shardOf } from '../../sweeping/sparse-index.ts';
import type { WebhookEvent } from '../../webhooks/events/event.ts';
import { type Job, jobSchema } from './job.ts';
import type { Step } from './job-machine.ts';

/** Someone else has moved the job since it was read; whoever did will also see it through. */
export class JobMoved extends Error {
  override readonly name = 'JobMoved';
}

export interface JobTables {
  readonly jobs: string;
  readonly events: string;
  readonly accounts: string;
}

/** What is asked of a row that was not as it should be. */
const stepOfRow = v.object({ step: v.exactOptional(v.string()) });

type IsRunning = (hold: Hold, interval: Interval) => boolean;

/** A period changes once a day at most. */
const SETTLE_ATTEMPTS = 3;

/** Writes the machine's steps, each under the condition that the job is still as it was read. */
export class JobSteps {
  readonly #client: DynamoDBDocumentClient;
  readonly #tables: JobTables;
  readonly #accounts: AccountStore;

  constructor(client: DynamoDBDocumentClient, tables: JobTables) {
    this.#client = client;
    this.#tables = tables;
    this.#accounts = new AccountStore(client, tables.accounts);
  }

  /** @throws JobMoved when the job is no longer in the phase and at the link it was read at. */
  async apply(job: Job, step: Step): Promise<void> {
    try {
      await this.#client.send(new UpdateCommand(this.#update(job, step)));
    } catch (cause) {
      if (!conditionFailed(cause)) throw cause;
      if (oldItem(cause, stepOfRow)?.step !== step.changes.step) throw new JobMoved(job.id, { cause });
    }
  }

  /**
   * Keeps a wish to cancel with the job, beside whatever a worker is doing with it: no step is undone by it.
   * @returns the job as it is then
   * @throws JobMoved when the job is at no provider (any more)
   */
  async requestCancel(job: Job, now: Date): Promise<Job> {
    try {
      const { Attributes } = await this.#client.send(
        new UpdateCommand({
          TableName: this.#tables.jobs,
          Key: { id: job.id },
          UpdateExpression: 'SET #asked = if_not_exists(#asked, :now)',
          ConditionExpression: '#phase IN (:submitting, :polling)',
          ExpressionAttributeNames: { '#asked': 'cancel_requested_at', '#phase': 'phase' },
          ExpressionAttributeValues: {
            ':now': now.toISOString(),
            ':submitting': 'submitting',
            ':polling': 'polling',
          },
          ReturnValues: 'ALL_NEW',
        }),
      );
      return v.parse(jobSchema, Attributes);
    } catch (cause) {
      if (conditionFailed(cause)) throw new JobMoved(job.id, { cause });
      throw cause;
    }
  }

  /**
   * The terminal step, its event and the end of the job's holds, all or nothing: a final state without an
   * event, an event without its state, or a hold without a job cannot exist.
   * @throws JobMoved as `apply` does.
   */
  async settle(job: Job, step: Step, event: WebhookEvent): Promise<void> {
    // Most jobs end in the periods they began in; for the others the rows tell what they count now.
    let isRunning: IsRunning = () => true;
    for (let attempt = 0; attempt < SETTLE_ATTEMPTS; attempt++) {
      if (await this.#tryToSettle(job, step, event, isRunning)) return;
      const accounts = await this.#accounts.read(job.holds.map(({ account }) => account));
      isRunning = ({ account, periods }, interval) =>
        accounts.find((each) => each.account === account)?.[interval]?.period === periods[interval];
    }
    throw new Error(
      `the accounts of ${job.id} changed periods ${SETTLE_ATTEMPTS} times while it was settled`,
    );
  }

  /** False when an account no longer counts a period that `isRunning` took for running. */
  async #tryToSettle(job: Job, step: Step, event: WebhookEvent, isRunning: IsRunning): Promise<boolean> {
    const cost = step.changes.cost_micros ?? 0;
    const endHolds = job.holds.map((hold) => ({
      Update: {
        TableName: this.#tables.accounts,
        ...settleUpdate(hold, cost, (interval) => isRunning(hold, interval)),
      },
    }));
    const newEvent = {
      Put: {
        TableName: this.#tables.events,
        Item: { ...event, active: shardOf(event.id) },
        ConditionExpression: 'attribute_not_exists(id)',
      },
    };
    try {
      await transact(this.#client, [
        { Update: this.#update(job, step, 'REMOVE active') },
        newEvent,
        ...endHolds,
      ]);
      return true;
    } catch (cause) {
      if (oldItem(cause, stepOfRow, 0)?.step === step.changes.step) return true;
      if (conditionFailed(cause, 0) || conditionFailed(cause, 1)) throw new JobMoved(job.id, { cause });
      if (conditionFailed(cause)) return false;
      throw cause;
    }
  }

  #update(job: Job, { changes }: Step, remove = '') {
    const entries = Object.entries(changes);
    const set = entries.map((_, i) => `#change${i} = :change${i}`).join(', ');
    return {
      TableName: this.#tables.jobs,
      Key: { id: job.id },
      UpdateExpression: `SET ${set} ${remove}`,
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
        ...Object.fromEntries(entries.map(([name], i) => [`#change${i}`, name])),
      },
      ExpressionAttributeValues: {
        ':seq': job.seq,
        ':phase': job.phase,
        ':submits': job.submits,
        ':step': job.step,
        ...Object.fromEntries(entries.map(([, value], i) => [`:change${i}`, value])),
      },
    };
  }
}
