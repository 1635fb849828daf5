import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { WORKSPACES_BY_CREATION } from '../functions/workspaces/table.ts';
import type { GenwayFunction } from './genway-function.ts';
import type { KeysTable } from './keys-table.ts';
import type { Replays } from './limits.ts';
import type { AccountsTable } from './money.ts';
import type { RestApi } from './rest-api.ts';
import type { StageConfig } from './stage-config.ts';
import { Table } from './table.ts';

export interface WorkspacesProps {
  readonly config: StageConfig;
  readonly api: RestApi;
  readonly keys: KeysTable;
  readonly accounts: AccountsTable;
  readonly replays: Replays;
}

/** Workspaces and the slugs that name them. */
export class Workspaces extends Construct {
  readonly table: Table;
  /** Deletes workspaces, with what others keep of them. */
  readonly removal: GenwayFunction;

  constructor(scope: Construct, id: string, { config, api, keys, accounts, replays }: WorkspacesProps) {
    super(scope, id);
    this.table = new Table(this, 'Table', {
      config,
      partitionKey: { name: 'pk', type: AttributeType.STRING },
    });
    this.table.addGlobalSecondaryIndex({
      indexName: WORKSPACES_BY_CREATION,
      partitionKey: { name: 'listing', type: AttributeType.STRING },
      sortKey: { name: 'created_at', type: AttributeType.STRING },
    });
    const environment = { WORKSPACES_TABLE: this.table.tableName };
    const create = api.serve('create-workspace', {
      environment: { ...environment, REPLAYS_TABLE: replays.tableName },
    });
    this.table.grant(create, 'dynamodb:PutItem');
    replays.grant(create, 'dynamodb:GetItem', 'dynamodb:PutItem');
    this.table.grant(api.serve('get-workspace', { environment }), 'dynamodb:GetItem');
    this.table.grant(api.serve('list-workspaces', { environment }), 'dynamodb:Query');
    const update = api.serve('update-workspace', { environment });
    this.table.grant(update, 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:DeleteItem');
    this.removal = api.serve('delete-workspace', {
      environment: { ...environment, ACCOUNTS_TABLE: accounts.tableName },
    });
    this.table.grant(this.removal, 'dynamodb:GetItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem');
    keys.grant(this.removal, 'dynamodb:Query');
    accounts.grant(this.removal, 'dynamodb:UpdateItem');
  }
}
