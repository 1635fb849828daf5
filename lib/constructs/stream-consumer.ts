import { Duration } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Construct } from 'constructs';
import { asInterface } from './as-interface.ts';
import { GenwayFunction, type GenwayFunctionProps } from './genway-function.ts';
import type { Table } from './table.ts';

export interface StreamConsumerProps extends GenwayFunctionProps {
  /** Must have a stream. */
  readonly table: Table;
  /** A filter on new rows. Rows that it excludes cause no call and no cost. */
  readonly where: Readonly<Record<string, unknown>>;
}

/**
 * A function that reads a table's stream of new rows. It can neither delay nor break the writers of the table. A row
 * that fails is retried, and delays the later rows, for six hours at most.
 */
export class StreamConsumer extends GenwayFunction {
  /** The event source mapping that delivers the rows; an operator can turn it off. */
  readonly feed: string;

  constructor(scope: Construct, id: string, { table, where, ...props }: StreamConsumerProps) {
    super(scope, id, { ...props, isGradual: true });
    const rows = new DynamoEventSource(asInterface<ITable>(table), {
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 25,
      // Fewer, larger batches, because nobody waits for the result.
      maxBatchingWindow: Duration.seconds(5),
      filters: [FilterCriteria.filter({ eventName: ['INSERT'], dynamodb: { NewImage: where } })],
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      maxRecordAge: Duration.hours(6),
    });
    (this.live ?? this).addEventSource(rows);
    this.feed = rows.eventSourceMappingId;
  }
}
