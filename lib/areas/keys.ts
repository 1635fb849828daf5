import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { variables } from '../../functions/environment-names.ts';
import { CHANGEABLE_OF_KEYS, KEYS_BY_CREATION, KEYS_BY_WORKSPACE } from '../../functions/tables.ts';
import { combine } from '../constructs/program.ts';
import { Table } from '../constructs/table.ts';
import type { StageConfig } from '../stage/config.ts';
import type { GuardrailsTable } from './guardrails.ts';
import type { ListsTable } from './lists.ts';
import type { AccountsTable } from './money.ts';
import type { WorkspacesTable } from './workspaces.ts';

/** API keys and management keys: the table against which every credential is checked. */
export class KeysTable extends Table {
  /** The right to check a credential, and to record its use. */
  readonly authenticator = combine(
    this.allowing('GetItem'),
    this.allowingUpdatesOf(['hash', 'last_used_at']),
  );
  /** The right to check a credential without recording its use. */
  readonly finder = this.allowing('GetItem');
  readonly creator = this.allowing('PutItem');
  readonly lister = combine(this.allowingQueries(KEYS_BY_CREATION), this.allowingQueries(KEYS_BY_WORKSPACE));
  readonly reader = this.allowing('BatchGetItem');
  /** A change can never turn a key into another key or into a management key. */
  readonly changer = this.allowingUpdatesOf(['hash', 'updated_at', ...CHANGEABLE_OF_KEYS]);
  readonly remover = this.allowing('DeleteItem');
  /** The right to check, in the same transaction as another write, that a key is still valid. */
  readonly keeper = this.allowing('ConditionCheckItem');

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      config,
      variable: variables.keysTable,
      partitionKey: { name: 'hash', type: AttributeType.STRING },
    });
    // The time of creation first, then the key's id for keys of the same moment: a total order.
    const sortKey = { name: 'listed_as', type: AttributeType.STRING };
    this.addGlobalSecondaryIndex({
      indexName: KEYS_BY_CREATION,
      partitionKey: { name: 'listing', type: AttributeType.STRING },
      sortKey,
    });
    this.addGlobalSecondaryIndex({
      indexName: KEYS_BY_WORKSPACE,
      partitionKey: { name: 'workspace_id', type: AttributeType.STRING },
      sortKey,
    });
  }
}

export interface KeyEndpointsProps {
  readonly keys: KeysTable;
  readonly accounts: AccountsTable;
  readonly lists: ListsTable;
  readonly workspaces: WorkspacesTable;
  readonly guardrails: GuardrailsTable;
}

export const keyEndpoints = ({ keys, accounts, lists, workspaces, guardrails }: KeyEndpointsProps) => ({
  // The first change of a list reads all keys to build it.
  'create-key': [
    keys.creator,
    accounts.writer,
    workspaces.counter,
    workspaces.reader,
    guardrails.named,
    keys.lister,
    lists.changer,
  ],
  'list-keys': [lists.reader, keys.reader, keys.lister, accounts.reader, workspaces.reader],
  'get-key': [keys.reader, accounts.reader],
  'get-current-key': [keys.reader, accounts.reader],
  'update-key': [
    keys.reader,
    keys.changer,
    accounts.reader,
    accounts.writer,
    workspaces.counter,
    guardrails.named,
    keys.lister,
    lists.changer,
  ],
  'delete-key': [keys.remover, accounts.writer, workspaces.counter, keys.lister, lists.changer],
});
