import * as v from 'valibot';
import { invalidValue } from './errors.ts';
import type { Queue, QueueSettings } from './queue.ts';

const seconds = (most: number) =>
  v.pipe(v.string(), v.transform(Number), v.integer(), v.minValue(0), v.maxValue(most));

/** The attributes that CreateQueue takes. Numbers are sent as text. */
export const attributesSchema = v.strictObject({
  VisibilityTimeout: v.optional(seconds(43_200), '30'),
  DelaySeconds: v.optional(seconds(900), '0'),
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

const ARN = 'arn:aws:sqs:us-east-1:000000000000:';
export const arnOf = ({ name }: Queue): string => `${ARN}${name}`;
const URL = 'https://sqs.us-east-1.amazonaws.com/000000000000/';
export const urlOf = ({ name }: Queue): string => `${URL}${name}`;
/** The name in a queue's ARN or URL. */
export const nameIn = (arnOrUrl: string): string => arnOrUrl.split(/[:/]/).at(-1) ?? '';

/** @param find returns a queue by its name @throws ServiceError */
export function queueSettings(
  attributes: v.InferOutput<typeof attributesSchema>,
  find: (name: string) => Queue | undefined,
): QueueSettings {
  const { RedrivePolicy } = attributes;
  const target = RedrivePolicy && find(nameIn(RedrivePolicy.deadLetterTargetArn));
  if (RedrivePolicy !== undefined && target === undefined) {
    throw invalidValue(`Value ${JSON.stringify(RedrivePolicy)} for parameter RedrivePolicy is invalid.`);
  }
  return {
    visibilitySeconds: attributes.VisibilityTimeout,
    delaySeconds: attributes.DelaySeconds,
    retentionSeconds: attributes.MessageRetentionPeriod,
    maximumBytes: attributes.MaximumMessageSize,
    waitSeconds: attributes.ReceiveMessageWaitTimeSeconds,
    deadLetters: target && RedrivePolicy && { queue: target, maxReceives: RedrivePolicy.maxReceiveCount },
  };
}

export function attributesOf(queue: Queue, names: readonly string[]): Record<string, string> {
  const { visible, inFlight, delayed } = queue.counts();
  const { visibilitySeconds, deadLetters } = queue.settings;
  const all: Record<string, string> = {
    QueueArn: arnOf(queue),
    ApproximateNumberOfMessages: String(visible),
    ApproximateNumberOfMessagesNotVisible: String(inFlight),
    ApproximateNumberOfMessagesDelayed: String(delayed),
    VisibilityTimeout: String(visibilitySeconds),
    ...(deadLetters && {
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: arnOf(deadLetters.queue),
        maxReceiveCount: deadLetters.maxReceives,
      }),
    }),
  };
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => names.includes('All') || names.includes(name)),
  );
}
