import { hash } from 'node:crypto';
import * as v from 'valibot';
import type { VirtualClock } from '../clock.ts';
import { JsonService, operation, ServiceError } from '../service.ts';
import { type Message, Queue, type QueueSettings } from './queue.ts';

const LONGEST_VISIBILITY = 43_200;
const LONGEST_DELAY = 900;
const MOST_ENTRIES = 10;

const ARN = 'arn:aws:sqs:us-east-1:000000000000:';
const URL = 'https://sqs.us-east-1.amazonaws.com/000000000000/';
/** The name in a queue's ARN or URL. */
const nameIn = (arnOrUrl: string): string => arnOrUrl.split(/[:/]/).at(-1) ?? '';

const seconds = (most: number) =>
  v.pipe(v.string(), v.transform(Number), v.integer(), v.minValue(0), v.maxValue(most));

/** The attributes that CreateQueue takes. Numbers are sent as text. */
const attributesSchema = v.strictObject({
  VisibilityTimeout: v.optional(seconds(LONGEST_VISIBILITY), '30'),
  DelaySeconds: v.optional(seconds(LONGEST_DELAY), '0'),
  MessageRetentionPeriod: v.optional(seconds(1_209_600), '345600'),
  MaximumMessageSize: v.optional(seconds(1_048_576), '1048576'),
  ReceiveMessageWaitTimeSeconds: v.optional(seconds(20), '0'),
  RedrivePolicy: v.optional(
    v.pipe(
      v.string(),
      v.parseJson(),
      v.strictObject({
        deadLetterTargetArn: v.string(),
        maxReceiveCount: v.pipe(v.unknown(), v.transform(Number)),
      }),
    ),
  ),
});

const QueueUrl = v.string();
const names = v.optional(v.array(v.string()), []);
const sendSchema = v.strictObject({
  QueueUrl,
  MessageBody: v.string(),
  DelaySeconds: v.optional(v.number()),
  MessageGroupId: v.optional(v.string()),
});
const receiveSchema = v.strictObject({
  QueueUrl,
  MaxNumberOfMessages: v.optional(v.number(), 1),
  VisibilityTimeout: v.optional(v.number()),
  WaitTimeSeconds: v.optional(v.number()),
  AttributeNames: names,
  MessageSystemAttributeNames: names,
});
const deletions = v.array(v.strictObject({ Id: v.string(), ReceiptHandle: v.string() }));

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
    this.service = new JsonService('sqs', { ...this.#queueOperations(), ...this.#messageOperations() });
  }

  /** @returns the queue's URL */
  createQueue(name: string, attributes: Readonly<Record<string, string>> = {}): string {
    this.#queues.set(name, new Queue(name, this.#settings(attributes), this.#clock, this.#pick));
    return `${URL}${name}`;
  }

  #settings(attributes: Readonly<Record<string, string>>): QueueSettings {
    const { RedrivePolicy, ...given } = v.parse(attributesSchema, attributes);
    return {
      visibilitySeconds: given.VisibilityTimeout,
      delaySeconds: given.DelaySeconds,
      retentionSeconds: given.MessageRetentionPeriod,
      maximumBytes: given.MaximumMessageSize,
      waitSeconds: given.ReceiveMessageWaitTimeSeconds,
      deadLetters: RedrivePolicy && {
        queue: this.#queue(RedrivePolicy.deadLetterTargetArn),
        maxReceives: RedrivePolicy.maxReceiveCount,
      },
    };
  }

  /** Waits until a message can be received, or for this long. It needs no client, so no call is recorded. */
  untilWaiting = (url: string, milliseconds: number): Promise<void> =>
    this.#queue(url).untilWaiting(this.#clock.now().getTime() + milliseconds);

  /** What CloudWatch measures of a queue: when its oldest message was sent, and how many can be received. */
  measured(url: string): { readonly oldest: Date | undefined; readonly visible: number } {
    const queue = this.#queue(url);
    return { oldest: queue.oldest(), visible: queue.counts().visible };
  }

  #queueOperations() {
    const create = v.strictObject({
      QueueName: v.string(),
      Attributes: v.optional(v.record(v.string(), v.string())),
    });
    const attributes = v.strictObject({ QueueUrl, AttributeNames: names });
    return {
      CreateQueue: operation(create, ({ QueueName, Attributes }) => {
        return { QueueUrl: this.createQueue(QueueName, Attributes) };
      }),
      GetQueueUrl: operation(v.strictObject({ QueueName: v.string() }), ({ QueueName }) => {
        return { QueueUrl: `${URL}${this.#queue(QueueName).name}` };
      }),
      GetQueueAttributes: operation(attributes, (input) => ({
        Attributes: asked(attributesOf(this.#queue(input.QueueUrl)), input.AttributeNames),
      })),
      PurgeQueue: operation(v.strictObject({ QueueUrl }), (input) => {
        this.#queue(input.QueueUrl).purge();
        return {};
      }),
      StartMessageMoveTask: operation(v.strictObject({ SourceArn: v.string() }), ({ SourceArn }) => {
        this.#queue(SourceArn).redrive();
        return { TaskHandle: 'done' };
      }),
    };
  }

  #messageOperations() {
    const remove = v.strictObject({ QueueUrl, ReceiptHandle: v.string() });
    const removeAll = v.strictObject({ QueueUrl, Entries: deletions });
    return {
      SendMessage: operation(sendSchema, (input, fault) =>
        sendMessage(this.#queue(input.QueueUrl), input, fault === 'duplicate'),
      ),
      ReceiveMessage: operation(receiveSchema, (input, fault) => this.#receive(input, fault === 'duplicate')),
      DeleteMessage: operation(remove, (input) => {
        this.#queue(input.QueueUrl).delete(input.ReceiptHandle);
        return {};
      }),
      DeleteMessageBatch: operation(removeAll, (input) =>
        deleteAll(this.#queue(input.QueueUrl), input.Entries),
      ),
    };
  }

  async #receive(input: v.InferOutput<typeof receiveSchema>, isDuplicate: boolean) {
    const queue = this.#queue(input.QueueUrl);
    const { MaxNumberOfMessages: count, VisibilityTimeout: visibilitySeconds } = input;
    assertWithin('MaxNumberOfMessages', count, 1, 10);
    assertWithin('VisibilityTimeout', visibilitySeconds, 0, LONGEST_VISIBILITY);
    const waitSeconds = input.WaitTimeSeconds ?? queue.settings.waitSeconds;
    await queue.untilWaiting(this.#clock.now().getTime() + waitSeconds * 1000);
    const messages = queue.receive({ count, visibilitySeconds, isDuplicate });
    const wanted = [...input.AttributeNames, ...input.MessageSystemAttributeNames];
    return messages.length === 0 ? {} : { Messages: messages.map((message) => received(message, wanted)) };
  }

  readonly #pick = (waiting: readonly Message[], count: number): readonly Message[] => {
    if (!this.isShuffled) return waiting.slice(0, count);
    const places = waiting.map((message) => ({ message, place: this.#random() }));
    const shuffled = places.toSorted((a, b) => a.place - b.place).map(({ message }) => message);
    return shuffled.slice(0, 1 + Math.floor(this.#random() * count));
  };

  #queue(arnOrUrl: string): Queue {
    const queue = this.#queues.get(nameIn(arnOrUrl));
    if (queue !== undefined) return queue;
    throw new ServiceError('QueueDoesNotExist', 'The specified queue does not exist.');
  }
}

const invalidValue = (reason: string) => new ServiceError('InvalidParameterValue', reason);

function assertWithin(name: string, value: number | undefined, least: number, most: number): void {
  if (value === undefined || (value >= least && value <= most)) return;
  throw invalidValue(
    `Value ${value} for parameter ${name} is invalid. Reason: Must be between ${least} and ${most}, if provided.`,
  );
}

/** @throws ServiceError */
function sendMessage(queue: Queue, sent: v.InferOutput<typeof sendSchema>, isDuplicate: boolean) {
  const { MessageBody: body, MessageGroupId: group, DelaySeconds: delaySeconds } = sent;
  const { maximumBytes } = queue.settings;
  assertWithin('DelaySeconds', delaySeconds, 0, LONGEST_DELAY);
  if (body === '') {
    throw new ServiceError('MissingParameter', 'The request must contain the parameter MessageBody.');
  }
  if (Buffer.byteLength(body) > maximumBytes) {
    const reason = `Message must be shorter than ${maximumBytes} bytes.`;
    throw invalidValue(`One or more parameters are invalid. Reason: ${reason}`);
  }
  const message = queue.send({ body, group, delaySeconds });
  if (isDuplicate) queue.repeat(message);
  return { MessageId: message.id, MD5OfMessageBody: hash('md5', body) };
}

/** Each entry by itself, so that a wrong one does not stop the others. @throws ServiceError for a wrong batch */
function deleteAll(queue: Queue, entries: v.InferOutput<typeof deletions>) {
  const ids = entries.map(({ Id }) => Id);
  if (ids.length === 0) {
    throw new ServiceError('EmptyBatchRequest', 'There should be at least one entry in the request.');
  }
  if (ids.length > MOST_ENTRIES) {
    const problem = `Maximum number of entries per request are ${MOST_ENTRIES}. You have sent ${ids.length}.`;
    throw new ServiceError('TooManyEntriesInBatchRequest', problem);
  }
  if (new Set(ids).size < ids.length) {
    throw new ServiceError('BatchEntryIdsNotDistinct', 'Two or more batch entries have the same Id.');
  }
  const Failed: object[] = [];
  for (const { Id, ReceiptHandle } of entries) {
    try {
      queue.delete(ReceiptHandle);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      Failed.push({ Id, Code: error.code, Message: error.message, SenderFault: true });
    }
  }
  const isDone = (id: string) => !Failed.some((each) => Object(each).Id === id);
  return { Successful: ids.filter(isDone).map((Id) => ({ Id })), Failed };
}

/** The message as a receiver gets it. */
function received(message: Message, wanted: readonly string[]) {
  const Attributes = asked(
    {
      ApproximateReceiveCount: String(message.receives),
      ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
      SentTimestamp: String(message.sentAt),
      ...(message.group === undefined ? {} : { MessageGroupId: message.group }),
    },
    wanted,
  );
  return {
    MessageId: message.id,
    ReceiptHandle: message.handle,
    Body: message.body,
    MD5OfBody: hash('md5', message.body),
    ...(Object.keys(Attributes).length === 0 ? {} : { Attributes }),
  };
}

function attributesOf(queue: Queue): Record<string, string> {
  const { visible, inFlight, delayed } = queue.counts();
  const { visibilitySeconds, deadLetters } = queue.settings;
  return {
    QueueArn: `${ARN}${queue.name}`,
    ApproximateNumberOfMessages: String(visible),
    ApproximateNumberOfMessagesNotVisible: String(inFlight),
    ApproximateNumberOfMessagesDelayed: String(delayed),
    VisibilityTimeout: String(visibilitySeconds),
    ...(deadLetters && {
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: `${ARN}${deadLetters.queue.name}`,
        maxReceiveCount: deadLetters.maxReceives,
      }),
    }),
  };
}

const asked = (all: Record<string, string>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => names.includes('All') || names.includes(name)));
