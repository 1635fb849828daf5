import { Duration } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Construct } from 'constructs';
import { asInterface } from './as-interface.ts';
import { GenwayFunction, type GenwayFunctionProps } from './genway-function.ts';
import type { Table } from './table.ts';

export interface StreamConsumerProps extends GenwayFunctionProps {
  /** One that can be followed. */
  readonly table: Table;
  /** Which new rows it is called for; nothing is paid for the others. */
  readonly where: Readonly<Record<string, unknown>>;
}

/**
 * A function that follows what is added to a table, beside whoever has added it: it can neither hold that up nor fail
 * it. What it fails at comes again, and holds up those behind it, for a quarter of a day.
 */
export class StreamConsumer extends GenwayFunction {
  /** What hands it the rows, and can be turned off. */
  readonly feed: string;

  constructor(scope: Construct, id: string, { table, where, ...props }: StreamConsumerProps) {
    super(scope, id, { ...props, isGradual: true });
    const rows = new DynamoEventSource(asInterface<ITable>(table), {
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 25,
      // Fewer, larger batches: nobody waits for them.
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
