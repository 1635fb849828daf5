import { Duration } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import {
  DynamoEventSource,
  type DynamoEventSourceProps,
  SqsEventSource,
} from 'aws-cdk-lib/aws-lambda-event-sources';
import { type IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { asInterface } from './as-interface.ts';
import { type Capability, GenwayFunction, type GenwayFunctionProps, type Variable } from './program.ts';
import type { Table } from './table.ts';

interface WorkQueueProps {
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
  /** The timeout of the function that consumes it. */
  readonly timeout: Duration;
  /** For how long a message that a worker has is hidden from others. */
  readonly hidden: Duration;
  readonly #variable: Variable;

  constructor(scope: Construct, id: string, { variable, timeout }: WorkQueueProps) {
    // Lambda's advice: six times the consumer's timeout, otherwise throttled messages come back too early.
    const hidden = Duration.seconds(6 * timeout.toSeconds());
    const deadLetters = new Queue(scope, `${id}DeadLetters`, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    super(scope, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      visibilityTimeout: hidden,
      // Only crashes and invalid messages count here, because jobs wait in new messages and not by repeated receives.
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: 5 },
    });
    this.deadLetters = deadLetters;
    this.timeout = timeout;
    this.hidden = hidden;
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

interface QueueConsumerProps extends Omit<GenwayFunctionProps, 'timeout'> {
  readonly queue: WorkQueue;
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
      timeout: queue.timeout,
      can: [...props.can, queue.sender],
      writesToItsOwnQueue: true,
      isGradual: true,
    });
    const messages = new SqsEventSource(queue, { batchSize, maxConcurrency, reportBatchItemFailures: true });
    (this.live ?? this).addEventSource(messages);
    this.feed = messages.eventSourceMappingId;
  }
}

interface StreamConsumerProps extends GenwayFunctionProps {
  /** Must have a stream. */
  readonly table: Table;
  /** A filter on new rows. Rows that it excludes cause no call and no cost. */
  readonly where: Readonly<Record<string, unknown>>;
  /** How rows are handed over. @default in few, large batches, because nobody waits for the result */
  readonly pace?: Pick<
    DynamoEventSourceProps,
    'batchSize' | 'maxBatchingWindow' | 'parallelizationFactor' | 'retryAttempts'
  >;
}

const FEW_BATCHES = { batchSize: 25, maxBatchingWindow: Duration.seconds(5) };

/**
 * A function that reads a table's stream of new rows. It can neither delay nor break the writers of the table. A row
 * that fails is retried, and delays the later rows, for six hours at most.
 */
export class StreamConsumer extends GenwayFunction {
  /** The event source mapping that delivers the rows; an operator can turn it off. */
  readonly feed: string;

  constructor(
    scope: Construct,
    id: string,
    { table, where, pace = FEW_BATCHES, ...props }: StreamConsumerProps,
  ) {
    super(scope, id, { ...props, isGradual: true });
    const rows = new DynamoEventSource(asInterface<ITable>(table), {
      startingPosition: StartingPosition.TRIM_HORIZON,
      ...pace,
      filters: [FilterCriteria.filter({ eventName: ['INSERT'], dynamodb: { NewImage: where } })],
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      maxRecordAge: Duration.hours(6),
    });
    (this.live ?? this).addEventSource(rows);
    this.feed = rows.eventSourceMappingId;
  }
}
