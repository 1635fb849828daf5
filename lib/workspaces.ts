import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { RestApi } from './rest-api.ts';
import type { StageConfig } from './stage-config.ts';
import { Table } from './table.ts';

export interface WorkspacesProps {
  readonly config: StageConfig;
  readonly api: RestApi;
}

/** Workspaces and the slugs that name them. */
export class Workspaces extends Construct {
  readonly table: Table;

  constructor(scope: Construct, id: string, { config, api }: WorkspacesProps) {
    super(scope, id);
    this.table = new Table(this, 'Table', {
      config,
      partitionKey: { name: 'pk', type: AttributeType.STRING },
    });
    const environment = { WORKSPACES_TABLE: this.table.tableName };
    this.table.grant(api.serve('create-workspace', { environment }), 'dynamodb:PutItem');
    this.table.grant(api.serve('get-workspace', { environment }), 'dynamodb:GetItem');
  }
}
