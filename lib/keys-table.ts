import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { KEYS_BY_CREATION, KEYS_BY_WORKSPACE } from '../functions/keys/table.ts';
import type { StageConfig } from './stage-config.ts';
import { Table } from './table.ts';

/** API keys and management keys: the table that every request's credential is checked against. */
export class KeysTable extends Table {
  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, { config, partitionKey: { name: 'hash', type: AttributeType.STRING } });
    // The creation first, and the key's own name where two were made at once: a total order.
    const sortKey = { name: 'listed_as', type: AttributeType.STRING };
    this.addGlobalSecondaryIndex({
      indexName: KEYS_BY_CREATION,
      partitionKey: { name: 'listing', type: AttributeType.STRING },
      sortKey,
    });
    this.addGlobalSecondaryIndex({
      indexName: KEYS_BY_WORKSPACE,
      partitionKey: { name: 'workspace_id', type: AttributeType.STRING },
      sortKey,
    });
  }

  /** What a function needs to check a credential, and to note its use: it can change nothing else of a key. */
  grantAuthentication(grantee: IGrantable): void {
    this.grant(grantee, 'dynamodb:GetItem');
    Grant.addToPrincipal({
      grantee,
      actions: ['dynamodb:UpdateItem'],
      resourceArns: [this.tableArn],
      conditions: {
        'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['hash', 'last_used_at'] },
        StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
      },
    });
  }
}
