import { GetQueueAttributesCommand, GetQueueUrlCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Sample } from './series.ts';

/** The names that SQS uses for a queue's attributes, by the names of the metrics. */
const ASKED = {
  ApproximateNumberOfMessages: 'ApproximateNumberOfMessagesVisible',
  ApproximateNumberOfMessagesDelayed: 'ApproximateNumberOfMessagesDelayed',
} as const;

interface SendOptions {
  readonly abortSignal?: AbortSignal;
}

/** Remembers how many messages each queue had at each look. */
export class QueueDepths {
  readonly #sqs: SQSClient;
  readonly #keptMilliseconds: number;
  #samples: readonly Sample[] = [];

  constructor(sqs: SQSClient, keptMilliseconds: number) {
    this.#sqs = sqs;
    this.#keptMilliseconds = keptMilliseconds;
  }

  get samples(): readonly Sample[] {
    return this.#samples;
  }

  async look(queues: readonly string[], now: number, options: SendOptions = {}): Promise<void> {
    const found = await Promise.all(queues.map((queue) => this.#depthsOf(queue, now, options)));
    const kept = this.#samples.filter(({ at }) => at > now - this.#keptMilliseconds);
    this.#samples = [...kept, ...found.flat()];
  }

  async #depthsOf(QueueName: string, at: number, options: SendOptions): Promise<Sample[]> {
    const { QueueUrl } = await this.#sqs.send(new GetQueueUrlCommand({ QueueName }), options);
    const asked = Object.entries(ASKED);
    const { Attributes = {} } = await this.#sqs.send(
      new GetQueueAttributesCommand({
        QueueUrl,
        AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesDelayed'],
      }),
      options,
    );
    const told = new Map(Object.entries(Attributes));
    const metric = { namespace: 'AWS/SQS', dimensions: { QueueName }, at };
    return asked.map(([attribute, name]) => ({ ...metric, name, value: Number(told.get(attribute) ?? 0) }));
  }
}
