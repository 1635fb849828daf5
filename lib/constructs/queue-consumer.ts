import { Duration } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { type IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Capability, Variable } from './capability.ts';
import { GenwayFunction, type GenwayFunctionProps } from './genway-function.ts';

export interface WorkQueueProps {
  /** The variable that tells programs the queue's URL. */
  readonly variable: Variable;
  /** The timeout of the function that consumes the queue. */
  readonly timeout: Duration;
}

/** A queue of small messages with a dead-letter queue, both encrypted and TLS only. */
export class WorkQueue extends Queue {
  readonly deadLetters: IQueue;
  /** The name that people use: what the queue carries. */
  readonly title: string;
  readonly #variable: Variable;

  constructor(scope: Construct, id: string, { variable, timeout }: WorkQueueProps) {
    const deadLetters = new Queue(scope, `${id}DeadLetters`, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    super(scope, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      // Lambda's advice: six times the consumer's timeout, otherwise throttled messages come back too early.
      visibilityTimeout: Duration.seconds(6 * timeout.toSeconds()),
      // Only crashes and invalid messages count here, because jobs wait in new messages and not by repeated receives.
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: 5 },
    });
    this.deadLetters = deadLetters;
    this.#variable = variable;
    this.title = variable.replace('_QUEUE_URL', '').toLowerCase();
  }

  /** Fewer rights than CDK's grant, which also allows reading the queue's attributes. */
  get sender(): Capability {
    return {
      environment: { [this.#variable]: this.queueUrl },
      grant: (grantee) => {
        Grant.addToPrincipal({ grantee, actions: ['sqs:SendMessage'], resourceArns: [this.queueArn] });
      },
    };
  }
}

export interface QueueConsumerProps extends GenwayFunctionProps {
  readonly queue: WorkQueue;
  readonly timeout: Duration;
  /** The maximum number of batches at once. */
  readonly maxConcurrency: number;
  /** Messages in a batch. The slowest message delays the whole batch. @default 10 */
  readonly batchSize?: number;
}

/**
 * The function that consumes a work queue. It writes the next message of a chain to its own queue. Lambda's loop
 * detection would stop that after about sixteen rounds, so it must be allowed.
 */
export class QueueConsumer extends GenwayFunction {
  /** The event source mapping that delivers the messages; an operator can turn it off. */
  readonly feed: string;

  constructor(
    scope: Construct,
    id: string,
    { queue, maxConcurrency, batchSize = 10, ...props }: QueueConsumerProps,
  ) {
    super(scope, id, {
      ...props,
      can: [...props.can, queue.sender],
      writesToItsOwnQueue: true,
      isGradual: true,
    });
    const messages = new SqsEventSource(queue, { batchSize, maxConcurrency, reportBatchItemFailures: true });
    (this.live ?? this).addEventSource(messages);
    this.feed = messages.eventSourceMappingId;
  }
}
