import { RemovalPolicy } from 'aws-cdk-lib';
import {
  type Attribute,
  AttributeType,
  Billing,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Grant } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { OVERDUE_INDEX } from '../../functions/sweeping/sparse-index.ts';
import type { StageConfig } from '../stage/config.ts';
import { allowThrough, dataKeyOf } from './own-keys.ts';
import type { Capability, Variable } from './program.ts';

export interface TableProps {
  readonly config: StageConfig;
  /** The variable that tells programs the table's name. */
  readonly variable: Variable;
  /** The attribute of the partition key, a string. */
  readonly partitionKey: string;
  /** The attribute of the sort key, a string. @default rows have no sort key */
  readonly sortKey?: string;
  /** The attribute with the second at which a row expires. @default rows never expire */
  readonly expiresBy?: string;
  /** Whether the table has a stream for functions. @default it has none */
  readonly isFollowed?: boolean;
}

/** Actions on single rows, alone or in a batch or transaction. */
type RowAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem'
  | 'BatchWriteItem';

const stringKey = (name: string): Attribute => ({ name, type: AttributeType.STRING });

/** The base of all our tables: on demand, restorable to any second of the last 35 days. */
export class Table extends TableV2 {
  /** The name that people use: what the table holds. */
  readonly title: string;
  readonly #variable: Variable;

  constructor(
    scope: Construct,
    id: string,
    { config, variable, partitionKey, sortKey, expiresBy, isFollowed }: TableProps,
  ) {
    const kept = config.data === 'retain';
    const key = dataKeyOf(scope, id, config);
    super(scope, id, {
      partitionKey: stringKey(partitionKey),
      ...(sortKey === undefined ? {} : { sortKey: stringKey(sortKey) }),
      billing: Billing.onDemand(),
      ...(key === undefined ? {} : { encryption: TableEncryptionV2.customerManagedKey(key) }),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: kept,
      removalPolicy: kept ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      ...(expiresBy === undefined ? {} : { timeToLiveAttribute: expiresBy }),
      ...(isFollowed ? { dynamoStream: StreamViewType.NEW_IMAGE } : {}),
    });
    this.#variable = variable;
    this.title = variable.replace('_TABLE', '').toLowerCase();
  }

  /** The right to do these actions on rows, but not on an index. */
  allowing(...actions: readonly RowAction[]): Capability {
    return this.#allowing(actions, this.tableArn);
  }

  /**
   * The right to update rows without touching other attributes than these; the key must be one of them. Such an update
   * may not return values, because they could contain any attribute.
   */
  allowingUpdatesOf(attributes: readonly string[]): Capability {
    return this.#allowing(['UpdateItem'], this.tableArn, {
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': attributes },
      StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
    });
  }

  /** The right to query one index. @default the table itself */
  allowingQueries(index?: string): Capability {
    return this.#allowing(['Query'], index === undefined ? this.tableArn : `${this.tableArn}/index/${index}`);
  }

  /** The right to read all rows, in no order. */
  allowingScans(): Capability {
    return this.#allowing(['Scan'], this.tableArn);
  }

  /**
   * Adds an index in which rows are listed by two attributes.
   * @param only the other attributes that it contains @default all
   */
  protected indexBy(indexName: string, partitionKey: string, sortKey: string, only?: string[]): void {
    this.addGlobalSecondaryIndex({
      indexName,
      partitionKey: stringKey(partitionKey),
      sortKey: stringKey(sortKey),
      ...(only === undefined ? {} : { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: only }),
    });
  }

  /** Adds an index of rows by the workspace to which they belong, with nothing but their keys. */
  protected indexByWorkspace(indexName: string): void {
    this.addGlobalSecondaryIndex({
      indexName,
      partitionKey: stringKey('workspace_id'),
      projectionType: ProjectionType.KEYS_ONLY,
    });
  }

  /** Adds the index in which a sweeper finds overdue rows; see `functions/sweeping/sparse-index.ts`. */
  protected indexOverdue(...nonKeyAttributes: string[]): void {
    this.addGlobalSecondaryIndex({
      indexName: OVERDUE_INDEX,
      partitionKey: stringKey('active'),
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
        allowThrough('dynamodb', this.encryptionKey, grantee);
      },
    };
  }
}
