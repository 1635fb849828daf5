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

/** How many messages of a queue are where, as SQS counts them: nearly. */
export interface QueueState {
  /** Their time has come. */
  readonly waiting: number;
  /** They are for later. */
  readonly delayed: number;
  readonly inFlight: number;
  readonly deadLetters: number;
}

/** Only a queue has messages; what else feeds a worker is none. */
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
 * Has AWS move the dead letters of a queue back into it.
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
