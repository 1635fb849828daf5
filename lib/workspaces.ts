import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { variables } from '../functions/environment-names.ts';
import { WORKSPACES_BY_CREATION } from '../functions/workspaces/table.ts';
import type { BroadcastTable } from './broadcast.ts';
import { combine } from './constructs/capability.ts';
import { Table } from './constructs/table.ts';
import type { ReplaysTable } from './gate.ts';
import type { GuardrailsTable } from './guardrails.ts';
import type { KeysTable } from './keys.ts';
import type { ListsTable } from './lists.ts';
import type { AccountsTable } from './money.ts';
import type { ProviderKeys } from './provider-keys.ts';
import type { StageConfig } from './stage-config.ts';
import type { Webhooks } from './webhooks.ts';

/** Workspaces and the slugs that name them. */
export class WorkspacesTable extends Table {
  readonly reader = this.allowing('GetItem');
  /** With the row of its guardrail in one read. */
  readonly policyReader = this.allowing('BatchGetItem');
  readonly lister = this.allowingQueries(WORKSPACES_BY_CREATION);
  /** The rows of a page of the list. */
  readonly pageReader = this.allowing('BatchGetItem');
  /** Reads whether a slug has been taken by somebody who was quicker. */
  readonly creator = this.allowing('GetItem', 'PutItem');
  /** A slug is a row of its own, which a change takes and gives back. */
  readonly changer = this.allowing('GetItem', 'PutItem', 'DeleteItem');
  readonly remover = this.allowing('GetItem', 'UpdateItem', 'DeleteItem');
  readonly sweeper = combine(
    this.allowingQueries(WORKSPACES_BY_CREATION),
    this.allowing('UpdateItem', 'DeleteItem'),
  );
  /** To note what its keys and budgets mean for it, so that it is not deleted meanwhile. */
  readonly counter = this.allowing('UpdateItem');
  /** To write, in one transaction with something of a workspace's, that it must be there. */
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
  // Its settings go at once; what it stored, the sweeper deletes soon after.
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
