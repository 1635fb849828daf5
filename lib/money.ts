import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { Replays } from './limits.ts';
import type { RestApi } from './rest-api.ts';
import type { StageConfig } from './stage-config.ts';
import { Table } from './table.ts';

/** What keys, workspaces and the deployment's credits have left. */
export class AccountsTable extends Table {
  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, { config, partitionKey: { name: 'account', type: AttributeType.STRING } });
  }
}

export interface MoneyRoutesProps {
  readonly api: RestApi;
  readonly accounts: AccountsTable;
  readonly replays: Replays;
  readonly workspaces: Table;
}

/** Budgets and credits: the endpoints over accounts. */
export class MoneyRoutes extends Construct {
  constructor(scope: Construct, id: string, { api, accounts, replays, workspaces }: MoneyRoutesProps) {
    super(scope, id);
    const ACCOUNTS_TABLE = accounts.tableName;
    const environment = { ACCOUNTS_TABLE, WORKSPACES_TABLE: workspaces.tableName };
    const list = api.serve('list-budgets', { environment });
    const get = api.serve('get-budget', { environment });
    const put = api.serve('put-budget', { environment });
    const remove = api.serve('delete-budget', { environment });
    for (const handler of [list, get, put, remove]) {
      workspaces.grant(handler, 'dynamodb:GetItem');
      accounts.grant(handler, 'dynamodb:BatchGetItem');
    }
    for (const handler of [put, remove]) accounts.grant(handler, 'dynamodb:UpdateItem');
    workspaces.grant(put, 'dynamodb:UpdateItem');

    const getCredits = api.serve('get-credits', { environment: { ACCOUNTS_TABLE } });
    const grant = api.serve('grant-credits', {
      environment: { ACCOUNTS_TABLE, REPLAYS_TABLE: replays.tableName },
    });
    for (const handler of [getCredits, grant]) accounts.grant(handler, 'dynamodb:BatchGetItem');
    accounts.grant(grant, 'dynamodb:UpdateItem', 'dynamodb:PutItem');
    replays.grant(grant, 'dynamodb:GetItem', 'dynamodb:PutItem');
  }
}
