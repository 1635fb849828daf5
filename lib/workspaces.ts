import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { variables } from '../functions/environment-names.ts';
import { WORKSPACES_BY_CREATION } from '../functions/workspaces/table.ts';
import { Table } from './constructs/table.ts';
import type { ReplaysTable } from './gate.ts';
import type { KeysTable } from './keys.ts';
import type { AccountsTable } from './money.ts';
import type { ProviderKeys } from './provider-keys.ts';
import type { StageConfig } from './stage-config.ts';

/** Workspaces and the slugs that name them. */
export class WorkspacesTable extends Table {
  readonly reader = this.allowing('GetItem');
  readonly lister = this.allowingQueries(WORKSPACES_BY_CREATION);
  readonly creator = this.allowing('PutItem');
  /** A slug is a row of its own, which a change takes and gives back. */
  readonly changer = this.allowing('GetItem', 'PutItem', 'DeleteItem');
  readonly remover = this.allowing('GetItem', 'DeleteItem');
  /** To write, in one transaction with something of a workspace's, that it must not be deleted meanwhile. */
  readonly keeper = this.allowing('UpdateItem');

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      config,
      variable: variables.workspacesTable,
      partitionKey: { name: 'pk', type: AttributeType.STRING },
    });
    this.addGlobalSecondaryIndex({
      indexName: WORKSPACES_BY_CREATION,
      partitionKey: { name: 'listing', type: AttributeType.STRING },
      sortKey: { name: 'created_at', type: AttributeType.STRING },
    });
  }
}

export interface WorkspaceEndpointsProps {
  readonly workspaces: WorkspacesTable;
  readonly keys: KeysTable;
  readonly accounts: AccountsTable;
  readonly replays: ReplaysTable;
  readonly providerKeys: ProviderKeys;
}

export const workspaceEndpoints = ({
  workspaces,
  keys,
  accounts,
  replays,
  providerKeys,
}: WorkspaceEndpointsProps) => ({
  'create-workspace': [workspaces.creator, replays.rememberer],
  'get-workspace': [workspaces.reader],
  'list-workspaces': [workspaces.lister],
  'update-workspace': [workspaces.changer],
  // With what others keep of it.
  'delete-workspace': [
    workspaces.remover,
    keys.lister,
    accounts.writer,
    providerKeys.rows.lister,
    providerKeys.rows.remover,
  ],
});
