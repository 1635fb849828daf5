import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { variables } from '../functions/environment-names.ts';
import { CHANGEABLE, KEYS_BY_CREATION, KEYS_BY_WORKSPACE } from '../functions/keys/table.ts';
import { combine } from './constructs/capability.ts';
import { Table } from './constructs/table.ts';
import type { GuardrailsTable } from './guardrails.ts';
import type { ListsTable } from './lists.ts';
import type { AccountsTable } from './money.ts';
import type { StageConfig } from './stage-config.ts';
import type { WorkspacesTable } from './workspaces.ts';

/** API keys and management keys: the table that every request's credential is checked against. */
export class KeysTable extends Table {
  /** To check a credential, and to note its use. */
  readonly authenticator = combine(
    this.allowing('GetItem'),
    this.allowingUpdatesOf(['hash', 'last_used_at']),
  );
  /** To check a credential whose use somebody else notes. */
  readonly finder = this.allowing('GetItem');
  readonly creator = this.allowing('PutItem');
  readonly lister = combine(this.allowingQueries(KEYS_BY_CREATION), this.allowingQueries(KEYS_BY_WORKSPACE));
  readonly reader = this.allowing('BatchGetItem');
  /** No change makes a key another's, or a management key. */
  readonly changer = this.allowingUpdatesOf(['hash', 'updated_at', ...CHANGEABLE]);
  readonly remover = this.allowing('DeleteItem');
  /** To write, in one transaction with something of a key's, that it must be live. */
  readonly keeper = this.allowing('ConditionCheckItem');

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      config,
      variable: variables.keysTable,
      partitionKey: { name: 'hash', type: AttributeType.STRING },
    });
    // The creation first, and the key's own name where two were made at once: a total order.
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
  // What changes a list reads the keys first, where it has to begin it.
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
