import { RemovalPolicy } from 'aws-cdk-lib';
import { type Attribute, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { StageConfig } from './stage-config.ts';

export interface TableProps {
  readonly config: StageConfig;
  readonly partitionKey: Attribute;
  readonly sortKey?: Attribute;
  /** @default none; the attribute that holds the second at which a row may go */
  readonly expiresBy?: string;
}

/** A table as all of ours are: on demand, restorable to any second of the last 35 days. */
export class Table extends TableV2 {
  constructor(scope: Construct, id: string, { config, expiresBy, ...keys }: TableProps) {
    const kept = config.data === 'retain';
    super(scope, id, {
      ...keys,
      billing: Billing.onDemand(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: kept,
      removalPolicy: kept ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      ...(expiresBy === undefined ? {} : { timeToLiveAttribute: expiresBy }),
    });
  }
}
