import * as v from 'valibot';
import type { VirtualClock } from '../clock.ts';
import { JsonService, operation } from '../json-service.ts';
import { ServiceError } from '../service.ts';
import { eachEntry } from './batch-entries.ts';
import { invalidValue, queueMissing } from './errors.ts';
import { LARGEST_BATCH, received, sendMessage } from './messages.ts';
import { type Message, Queue } from './queue.ts';
import { attributesOf, attributesSchema, nameIn, queueSettings, urlOf } from './queue-attributes.ts';

const LONGEST_VISIBILITY = 43_200;

const QueueUrl = v.string();
const sending = {
  MessageBody: v.string(),
  DelaySeconds: v.optional(v.number()),
  MessageGroupId: v.optional(v.string()),
};
const names = v.optional(v.array(v.string()), []);
const receiveSchema = v.strictObject({
  QueueUrl,
  MaxNumberOfMessages: v.optional(v.number(), 1),
  VisibilityTimeout: v.optional(v.number()),
  WaitTimeSeconds: v.optional(v.number()),
  AttributeNames: names,
  MessageSystemAttributeNames: names,
});
const entries = <Entries extends v.ObjectEntries>(each: Entries) =>
  v.strictObject({ QueueUrl, Entries: v.array(v.strictObject({ Id: v.string(), ...each })) });

/** The part of SQS that Genway uses, in memory: standard queues. */
export class SqsEngine {
  readonly service: JsonService;
  /** Hands out messages in any order, and sometimes fewer than there are, as AWS may. */
  isShuffled = false;
  readonly #queues = new Map<string, Queue>();
  readonly #clock: VirtualClock;
  readonly #random: () => number;

  constructor(clock: VirtualClock, random: () => number) {
    this.#clock = clock;
    this.#random = random;
    this.service = new JsonService('sqs', {
      ...this.#queueOperations(),
      ...this.#messageOperations(),
      ...this.#batches(),
    });
  }

  /** @returns the queue's URL */
  createQueue(name: string, attributes: Readonly<Record<string, string>> = {}): string {
    const settings = queueSettings(v.parse(attributesSchema, attributes), (other) => this.#queues.get(other));
    const queue = new Queue(name, settings, this.#clock, this.#pick);
    this.#queues.set(name, queue);
    return urlOf(queue);
  }

  /** Waits until a message can be received, or for this long. It needs no client, so no call is recorded. */
  untilWaiting = (url: string, milliseconds: number): Promise<void> =>
    this.#queue(url).untilWaiting(this.#clock.now().getTime() + milliseconds);

  #queueOperations() {
    const create = v.strictObject({
      QueueName: v.string(),
      Attributes: v.optional(v.record(v.string(), v.string())),
    });
    const attributes = v.strictObject({ QueueUrl, AttributeNames: names });
    const move = v.strictObject({ SourceArn: v.string() });
    return {
      CreateQueue: operation(create, ({ QueueName, Attributes }) => {
        return { QueueUrl: this.createQueue(QueueName, Attributes) };
      }),
      GetQueueUrl: operation(v.strictObject({ QueueName: v.string() }), ({ QueueName }) => {
        return { QueueUrl: urlOf(this.#queue(QueueName)) };
      }),
      GetQueueAttributes: operation(attributes, (input) => ({
        Attributes: attributesOf(this.#queue(input.QueueUrl), input.AttributeNames),
      })),
      PurgeQueue: operation(v.strictObject({ QueueUrl }), (input) => {
        this.#queue(input.QueueUrl).purge();
        return {};
      }),
      StartMessageMoveTask: operation(move, ({ SourceArn }) => {
        const queue = this.#queues.get(nameIn(SourceArn));
        if (queue === undefined) {
          throw new ServiceError(
            'ResourceNotFoundException',
            'The resource that you specified does not exist.',
          );
        }
        queue.redrive();
        return { TaskHandle: 'done' };
      }),
    };
  }

  #messageOperations() {
    const handle = { QueueUrl, ReceiptHandle: v.string() };
    const change = v.strictObject({ ...handle, VisibilityTimeout: v.number() });
    return {
      SendMessage: operation(v.strictObject({ QueueUrl, ...sending }), (input, fault) =>
        sendMessage(this.#queue(input.QueueUrl), input, fault === 'duplicate'),
      ),
      ReceiveMessage: operation(receiveSchema, (input, fault) => this.#receive(input, fault === 'duplicate')),
      DeleteMessage: operation(v.strictObject(handle), (input) => {
        this.#queue(input.QueueUrl).delete(input.ReceiptHandle);
        return {};
      }),
      ChangeMessageVisibility: operation(change, (input) => {
        assertVisibility(input.VisibilityTimeout);
        this.#queue(input.QueueUrl).changeVisibility(input.ReceiptHandle, input.VisibilityTimeout);
        return {};
      }),
    };
  }

  #batches() {
    const handle = { ReceiptHandle: v.string() };
    return {
      SendMessageBatch: operation(entries(sending), ({ Entries, ...input }, fault) => {
        const size = Entries.reduce((sum, { MessageBody }) => sum + Buffer.byteLength(MessageBody), 0);
        if (size > LARGEST_BATCH) {
          throw new ServiceError(
            'BatchRequestTooLong',
            `Batch requests cannot be longer than ${LARGEST_BATCH} bytes. You have sent ${size} bytes.`,
          );
        }
        const queue = this.#queue(input.QueueUrl);
        return eachEntry(Entries, (entry) => sendMessage(queue, entry, fault === 'duplicate'));
      }),
      DeleteMessageBatch: operation(entries(handle), ({ Entries, ...input }) => {
        const queue = this.#queue(input.QueueUrl);
        return eachEntry(Entries, (entry) => {
          queue.delete(entry.ReceiptHandle);
          return {};
        });
      }),
      ChangeMessageVisibilityBatch: operation(
        entries({ ...handle, VisibilityTimeout: v.number() }),
        ({ Entries, ...input }) => {
          const queue = this.#queue(input.QueueUrl);
          return eachEntry(Entries, ({ ReceiptHandle, VisibilityTimeout }) => {
            assertVisibility(VisibilityTimeout);
            queue.changeVisibility(ReceiptHandle, VisibilityTimeout);
            return {};
          });
        },
      ),
    };
  }

  async #receive(input: v.InferOutput<typeof receiveSchema>, isDuplicate: boolean) {
    const queue = this.#queue(input.QueueUrl);
    const { MaxNumberOfMessages: count, VisibilityTimeout: visibilitySeconds } = input;
    if (count < 1 || count > 10) {
      throw invalidValue(
        `Value ${count} for parameter MaxNumberOfMessages is invalid. Reason: Must be between 1 and 10, if provided.`,
      );
    }
    if (visibilitySeconds !== undefined) assertVisibility(visibilitySeconds);
    const waitSeconds = input.WaitTimeSeconds ?? queue.settings.waitSeconds;
    await queue.untilWaiting(this.#clock.now().getTime() + waitSeconds * 1000);
    const messages = queue.receive({ count, visibilitySeconds, isDuplicate });
    const asked = [...input.AttributeNames, ...input.MessageSystemAttributeNames];
    return messages.length === 0 ? {} : { Messages: messages.map((message) => received(message, asked)) };
  }

  readonly #pick = (waiting: readonly Message[], count: number): readonly Message[] => {
    if (!this.isShuffled) return waiting.slice(0, count);
    const places = waiting.map((message) => ({ message, place: this.#random() }));
    const shuffled = places.toSorted((a, b) => a.place - b.place).map(({ message }) => message);
    return shuffled.slice(0, 1 + Math.floor(this.#random() * count));
  };

  #queue(url: string): Queue {
    const queue = this.#queues.get(nameIn(url));
    if (queue === undefined) throw queueMissing();
    return queue;
  }
}

function assertVisibility(seconds: number): void {
  if (seconds >= 0 && seconds <= LONGEST_VISIBILITY) return;
  throw invalidValue(
    `Value ${seconds} for parameter VisibilityTimeout is invalid. Reason: Must be between 0 and ${LONGEST_VISIBILITY}, if provided.`,
  );
}
