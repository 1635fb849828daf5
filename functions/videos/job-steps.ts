import { type DynamoDBDocumentClient, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { conditionFailed } from '../aws/conditions.ts';
import { shardOf } from '../sparse-index.ts';
import type { WebhookEvent } from '../webhooks/event.ts';
import type { Job } from './job.ts';
import type { Step } from './job-machine.ts';

/** Someone else has moved the job since it was read; whoever did will also see it through. */
export class JobMoved extends Error {
  override readonly name = 'JobMoved';
}

/** Writes the machine's steps, each under the condition that the job is still as it was read. */
export class JobSteps {
  readonly #client: DynamoDBDocumentClient;
  readonly #tables: { readonly jobs: string; readonly events: string };

  constructor(client: DynamoDBDocumentClient, tables: { readonly jobs: string; readonly events: string }) {
    this.#client = client;
    this.#tables = tables;
  }

  /** @throws JobMoved when the job is no longer in the phase and at the link it was read at. */
  async apply(job: Job, step: Step): Promise<void> {
    try {
      await this.#client.send(new UpdateCommand(this.#update(job, step)));
    } catch (cause) {
      if (conditionFailed(cause)) throw new JobMoved(job.id, { cause });
      throw cause;
    }
  }

  /**
   * The terminal step and its event, both or neither: a final state without an event, or an event
   * without its state, cannot exist.
   * @throws JobMoved as `apply` does.
   */
  async settle(job: Job, step: Step, event: WebhookEvent): Promise<void> {
    try {
      await this.#client.send(
        new TransactWriteCommand({
          TransactItems: [
            { Update: this.#update(job, step, 'REMOVE active') },
            {
              Put: {
                TableName: this.#tables.events,
                Item: { ...event, active: shardOf(event.id) },
                ConditionExpression: 'attribute_not_exists(id)',
              },
            },
          ],
        }),
      );
    } catch (cause) {
      if (conditionFailed(cause)) throw new JobMoved(job.id, { cause });
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
      ConditionExpression: '#seq = :seq AND #phase = :phase AND #submits = :submits',
      ExpressionAttributeNames: {
        '#seq': 'seq',
        '#phase': 'phase',
        '#submits': 'submits',
        ...Object.fromEntries(entries.map(([name], i) => [`#change${i}`, name])),
      },
      ExpressionAttributeValues: {
        ':seq': job.seq,
        ':phase': job.phase,
        ':submits': job.submits,
        ...Object.fromEntries(entries.map(([, value], i) => [`:change${i}`, value])),
      },
    };
  }
}
