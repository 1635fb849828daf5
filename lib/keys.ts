import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { KEYS_BY_CREATION } from '../functions/keys/table.ts';
import type { AccountsTable } from './money.ts';
import type { RestApi } from './rest-api.ts';
import type { StageConfig } from './stage-config.ts';
import { Table } from './table.ts';

/** API keys and management keys: the table that every request's credential is checked against. */
export class KeysTable extends Table {
  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, { config, partitionKey: { name: 'hash', type: AttributeType.STRING } });
    this.addGlobalSecondaryIndex({
      indexName: KEYS_BY_CREATION,
      partitionKey: { name: 'listing', type: AttributeType.STRING },
      // The creation first, and the key's own name where two were made at once: a total order.
      sortKey: { name: 'listed_as', type: AttributeType.STRING },
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

export interface KeyRoutesProps {
  readonly api: RestApi;
  readonly keys: KeysTable;
  readonly accounts: AccountsTable;
  readonly workspaces: Table;
}

export class KeyRoutes extends Construct {
  constructor(scope: Construct, id: string, { api, keys, accounts, workspaces }: KeyRoutesProps) {
    super(scope, id);
    const WORKSPACES_TABLE = workspaces.tableName;
    const environment = { ACCOUNTS_TABLE: accounts.tableName };
    const create = api.serve('create-key', { environment: { ...environment, WORKSPACES_TABLE } });
    const list = api.serve('list-keys', { environment });
    const get = api.serve('get-key', { environment });
    const getCurrent = api.serve('get-current-key', { environment });
    const update = api.serve('update-key', { environment: { ...environment, WORKSPACES_TABLE } });
    const remove = api.serve('delete-key');
    keys.grant(create, 'dynamodb:PutItem');
    keys.grant(list, 'dynamodb:Query');
    keys.grant(update, 'dynamodb:UpdateItem');
    keys.grant(remove, 'dynamodb:DeleteItem');
    for (const handler of [get, getCurrent, update]) keys.grant(handler, 'dynamodb:BatchGetItem');
    for (const handler of [list, get, getCurrent, update]) accounts.grant(handler, 'dynamodb:BatchGetItem');
    for (const handler of [create, update]) {
      accounts.grant(handler, 'dynamodb:UpdateItem');
      workspaces.grant(handler, 'dynamodb:UpdateItem');
    }
  }
}
