import {
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  type SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import * as v from 'valibot';

const count = v.pipe(v.string(), v.transform(Number), v.integer());
const attributesSchema = v.object({
  ApproximateNumberOfMessages: count,
  ApproximateNumberOfMessagesDelayed: count,
  ApproximateNumberOfMessagesNotVisible: count,
  RedrivePolicy: v.exactOptional(
    v.pipe(v.string(), v.parseJson(), v.object({ deadLetterTargetArn: v.string() })),
  ),
});

/** How many messages a queue has in each state, as SQS counts them: approximately. */
export interface QueueState {
  /** Due now. */
  readonly waiting: number;
  /** Due later. */
  readonly delayed: number;
  readonly inFlight: number;
  readonly deadLetters: number;
}

/** Only a queue has messages; other event sources of a worker do not. */
export const isQueue = (arn: string | undefined): arn is string => arn?.split(':')[2] === 'sqs';

export async function stateOf(queueArn: string, sqs: SQSClient): Promise<QueueState> {
  const queue = await attributesOf(queueArn, sqs);
  const dead = queue.RedrivePolicy && (await attributesOf(queue.RedrivePolicy.deadLetterTargetArn, sqs));
  return {
    waiting: queue.ApproximateNumberOfMessages,
    delayed: queue.ApproximateNumberOfMessagesDelayed,
    inFlight: queue.ApproximateNumberOfMessagesNotVisible,
    deadLetters: dead?.ApproximateNumberOfMessages ?? 0,
  };
}

/**
 * Starts AWS's redrive of a queue's dead letters.
 * @returns how many there were
 */
export async function redrive(queueArn: string, sqs: SQSClient): Promise<number> {
  const { RedrivePolicy } = await attributesOf(queueArn, sqs);
  if (RedrivePolicy === undefined) return 0;
  const SourceArn = RedrivePolicy.deadLetterTargetArn;
  const { ApproximateNumberOfMessages: letters } = await attributesOf(SourceArn, sqs);
  if (letters > 0) await sqs.send(new StartMessageMoveTaskCommand({ SourceArn }));
  return letters;
}

async function attributesOf(queueArn: string, sqs: SQSClient) {
  const QueueName = queueArn.split(':').at(-1) ?? '';
  const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
  return v.parse(attributesSchema, Attributes);
}
