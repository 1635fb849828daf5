import { RemovalPolicy } from 'aws-cdk-lib';
import {
  type Attribute,
  AttributeType,
  Billing,
  ProjectionType,
  StreamViewType,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Grant } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { OVERDUE_INDEX } from '../../functions/sweeping/sparse-index.ts';
import type { StageConfig } from '../stage-config.ts';
import type { Capability, Variable } from './capability.ts';

export interface TableProps {
  readonly config: StageConfig;
  /** Tells programs the table's name. */
  readonly variable: Variable;
  readonly partitionKey: Attribute;
  readonly sortKey?: Attribute;
  /** @default none; the attribute that holds the second at which a row may go */
  readonly expiresBy?: string;
  /** Whether a function may follow what is written to it. @default none can */
  readonly isFollowed?: boolean;
}

/** What is done to single rows, alone or in a batch or transaction. */
type RowAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem'
  | 'BatchWriteItem';

/** A table as all of ours are: on demand, restorable to any second of the last 35 days. */
export class Table extends TableV2 {
  /** As people call it: by what it holds. */
  readonly title: string;
  readonly #variable: Variable;

  constructor(
    scope: Construct,
    id: string,
    { config, variable, expiresBy, isFollowed, ...keys }: TableProps,
  ) {
    const kept = config.data === 'retain';
    super(scope, id, {
      ...keys,
      billing: Billing.onDemand(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: kept,
      removalPolicy: kept ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      ...(expiresBy === undefined ? {} : { timeToLiveAttribute: expiresBy }),
      ...(isFollowed ? { dynamoStream: StreamViewType.NEW_IMAGE } : {}),
    });
    this.#variable = variable;
    this.title = variable.replace('_TABLE', '').toLowerCase();
  }

  /** To do these things to rows, and none to an index. */
  allowing(...actions: readonly RowAction[]): Capability {
    return this.#allowing(actions, this.tableArn);
  }

  /**
   * To update rows without touching other attributes than these, of which the key must be one. What a row says
   * of itself is never given back, as it could be any attribute.
   */
  allowingUpdatesOf(attributes: readonly string[]): Capability {
    return this.#allowing(['UpdateItem'], this.tableArn, {
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': attributes },
      StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
    });
  }

  /** To query one index. @default the table itself */
  allowingQueries(index?: string): Capability {
    return this.#allowing(['Query'], index === undefined ? this.tableArn : `${this.tableArn}/index/${index}`);
  }

  /** To read all rows, in no order. */
  allowingScans(): Capability {
    return this.#allowing(['Scan'], this.tableArn);
  }

  /** Lets a sweeper find the rows that have something to do; see `functions/sweeping/sparse-index.ts`. */
  protected indexOverdue(...nonKeyAttributes: string[]): void {
    this.addGlobalSecondaryIndex({
      indexName: OVERDUE_INDEX,
      partitionKey: { name: 'active', type: AttributeType.STRING },
      sortKey: { name: 'due_at', type: AttributeType.NUMBER },
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes,
    });
  }

  #allowing(
    actions: readonly string[],
    resourceArn: string,
    conditions?: Record<string, Record<string, unknown>>,
  ): Capability {
    return {
      environment: { [this.#variable]: this.tableName },
      grant: (grantee) => {
        Grant.addToPrincipal({
          grantee,
          actions: actions.map((action) => `dynamodb:${action}`),
          resourceArns: [resourceArn],
          ...(conditions === undefined ? {} : { conditions }),
        });
      },
    };
  }
}
