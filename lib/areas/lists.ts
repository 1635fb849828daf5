import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { variables } from '../../functions/environment-names.ts';
import { combine } from '../constructs/program.ts';
import { Table } from '../constructs/table.ts';
import type { StageConfig } from '../stage/config.ts';

/** The ordered lists of workspaces, keys and provider keys; see `functions/lists/`. */
export class ListsTable extends Table {
  readonly reader = this.allowing('BatchGetItem');
  /** The right to change lists in the same transaction as their entries. */
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
