import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { variables } from '../../functions/environment-names.ts';
import { GUARDRAILS_BY_WORKSPACE } from '../../functions/tables.ts';
import { combine } from '../constructs/program.ts';
import { Table } from '../constructs/table.ts';
import type { StageConfig } from '../stage/config.ts';
import type { KeysTable } from './keys.ts';
import type { ListsTable } from './lists.ts';
import type { AccountsTable } from './money.ts';
import type { Routing } from './offers.ts';
import type { Settings } from './settings.ts';
import type { WorkspacesTable } from './workspaces.ts';

/** What workspaces allow their submits to use. */
export class GuardrailsTable extends Table {
  readonly reader = this.allowing('GetItem');
  /** The right to read guardrails, alone or in one read with the workspace's row. */
  readonly policyReader = this.allowing('GetItem', 'BatchGetItem');
  readonly lister = this.allowingQueries(GUARDRAILS_BY_WORKSPACE);
  readonly creator = this.allowing('PutItem');
  readonly changer = this.allowing('GetItem', 'PutItem');
  readonly remover = this.allowing('GetItem', 'DeleteItem');
  /** The right to record, in the transaction in which a key names a guardrail, that it is in use. */
  readonly named = this.allowingUpdatesOf(['id', 'workspace_id', 'version']);
  /** The right to delete all guardrails of a workspace. */
  readonly clearer = combine(this.lister, this.allowing('DeleteItem'));
  /** The right to check, in the transaction in which a workspace names a guardrail, that it exists. */
  readonly keeper = this.allowing('ConditionCheckItem');

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      config,
      variable: variables.guardrailsTable,
      partitionKey: { name: 'id', type: AttributeType.STRING },
    });
    this.addGlobalSecondaryIndex({
      indexName: GUARDRAILS_BY_WORKSPACE,
      partitionKey: { name: 'workspace_id', type: AttributeType.STRING },
      sortKey: { name: 'created_at', type: AttributeType.STRING },
    });
  }
}

export interface GuardrailEndpointsProps {
  readonly guardrails: GuardrailsTable;
  readonly workspaces: WorkspacesTable;
  readonly accounts: AccountsTable;
  readonly keys: KeysTable;
  readonly lists: ListsTable;
  readonly routing: Routing;
  readonly settings: Settings;
}

/** The rules of a guardrail name models and providers, so these are looked up; its limit is an account. */
export const guardrailEndpoints = ({
  guardrails,
  workspaces,
  accounts,
  keys,
  lists,
  routing,
  settings,
}: GuardrailEndpointsProps) => {
  const names = [routing.catalogue, settings.videoProviders];
  return {
    'create-guardrail': [guardrails.creator, workspaces.reader, workspaces.keeper, accounts.writer, ...names],
    'list-guardrails': [guardrails.lister, workspaces.reader],
    'get-guardrail': [guardrails.reader, workspaces.lister],
    'update-guardrail': [
      guardrails.changer,
      workspaces.lister,
      workspaces.keeper,
      accounts.reader,
      accounts.writer,
      ...names,
    ],
    // Keys may name the guardrail too.
    'delete-guardrail': [
      guardrails.remover,
      workspaces.lister,
      workspaces.keeper,
      lists.reader,
      keys.reader,
      keys.lister,
    ],
  };
};
