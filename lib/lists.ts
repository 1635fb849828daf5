import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { variables } from '../functions/environment-names.ts';
import { combine } from './constructs/capability.ts';
import { Table } from './constructs/table.ts';
import type { StageConfig } from './stage-config.ts';

/** Which workspaces, keys and provider keys there are, in order; see `functions/lists/`. */
export class ListsTable extends Table {
  readonly reader = this.allowing('BatchGetItem');
  /** To change lists in one transaction with what they list. */
  readonly changer = this.allowing('BatchGetItem', 'PutItem', 'DeleteItem');
  readonly auditor = combine(this.allowingScans(), this.allowing('BatchGetItem', 'DeleteItem'));

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      config,
      variable: variables.listsTable,
      partitionKey: { name: 'list', type: AttributeType.STRING },
    });
  }
}
