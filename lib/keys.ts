import { Construct } from 'constructs';
import type { KeysTable } from './keys-table.ts';
import type { AccountsTable } from './money.ts';
import type { RestApi } from './rest-api.ts';
import type { Table } from './table.ts';

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
    const remove = api.serve('delete-key', { environment: { ...environment, WORKSPACES_TABLE } });
    keys.grant(create, 'dynamodb:PutItem');
    keys.grant(list, 'dynamodb:Query');
    keys.grant(update, 'dynamodb:UpdateItem');
    keys.grant(remove, 'dynamodb:DeleteItem');
    for (const handler of [get, getCurrent, update]) keys.grant(handler, 'dynamodb:BatchGetItem');
    for (const handler of [list, get, getCurrent, update]) accounts.grant(handler, 'dynamodb:BatchGetItem');
    for (const handler of [create, update, remove]) {
      accounts.grant(handler, 'dynamodb:UpdateItem');
      workspaces.grant(handler, 'dynamodb:UpdateItem');
    }
  }
}
