import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { variables } from '../../functions/environment-names.ts';
import { WORKSPACES_BY_CREATION } from '../../functions/tables.ts';
import { combine } from '../constructs/program.ts';
import { Table } from '../constructs/table.ts';
import type { StageConfig } from '../stage/config.ts';
import type { ReplaysTable } from './gate.ts';
import type { GuardrailsTable } from './guardrails.ts';
import type { KeysTable } from './keys.ts';
import type { ListsTable } from './lists.ts';
import type { AccountsTable } from './money.ts';
import type { ProviderKeys } from './provider-keys.ts';
import type { BroadcastTable, Webhooks } from './webhooks.ts';

/** Workspaces and the slugs that name them. */
export class WorkspacesTable extends Table {
  readonly reader = this.allowing('GetItem');
  /** The right to read a workspace in one read with the row of its guardrail. */
  readonly policyReader = this.allowing('BatchGetItem');
  readonly lister = this.allowingQueries(WORKSPACES_BY_CREATION);
  /** The right to read the rows of a page of the list. */
  readonly pageReader = this.allowing('BatchGetItem');
  /** Also reads, to find out whether somebody else has already taken a slug. */
  readonly creator = this.allowing('GetItem', 'PutItem');
  /** A slug is a separate row, which a change creates and deletes. */
  readonly changer = this.allowing('GetItem', 'PutItem', 'DeleteItem');
  readonly remover = this.allowing('GetItem', 'UpdateItem', 'DeleteItem');
  readonly sweeper = combine(
    this.allowingQueries(WORKSPACES_BY_CREATION),
    this.allowing('UpdateItem', 'DeleteItem'),
  );
  /** The right to record changes of its keys and budgets, so that it cannot be deleted at the same time. */
  readonly counter = this.allowing('UpdateItem');
  /** The right to check, in the same transaction as another write, that the workspace still exists. */
  readonly keeper = this.allowing('ConditionCheckItem');

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
  readonly lists: ListsTable;
  readonly replays: ReplaysTable;
  readonly providerKeys: ProviderKeys;
  readonly guardrails: GuardrailsTable;
  readonly webhooks: Webhooks;
  readonly broadcast: BroadcastTable;
}

export const workspaceEndpoints = ({
  workspaces,
  keys,
  accounts,
  lists,
  replays,
  providerKeys,
  guardrails,
  webhooks,
  broadcast,
}: WorkspaceEndpointsProps) => ({
  'create-workspace': [workspaces.creator, workspaces.lister, lists.changer, replays.rememberer],
  'get-workspace': [workspaces.reader],
  'list-workspaces': [lists.reader, workspaces.pageReader, workspaces.lister],
  'update-workspace': [workspaces.changer, guardrails.keeper],
  // Its settings are deleted at once; the sweeper deletes its data soon after.
  'delete-workspace': [
    workspaces.remover,
    workspaces.lister,
    lists.changer,
    keys.lister,
    accounts.writer,
    providerKeys.rows.lister,
    providerKeys.rows.remover,
    guardrails.clearer,
    webhooks.settings.changer,
    broadcast.remover,
  ],
});
