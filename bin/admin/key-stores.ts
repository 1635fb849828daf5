import { randomUUID } from 'node:crypto';
import { GuardrailStore } from '../../functions/guardrails/guardrail-store.ts';
import { KeyStore } from '../../functions/keys/key-store.ts';
import { ListStore } from '../../functions/lists/list-store.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import { WorkspaceStore } from '../../functions/workspaces/workspace-store.ts';
import type { Deployment } from './command.ts';

/** The stores that a change of a key writes to. */
export const keyStores = ({ client, output }: Deployment) => ({
  keys: new KeyStore(client, output('KeysTable')),
  accounts: new AccountStore(client, output('AccountsTable')),
  guardrails: new GuardrailStore(client, output('GuardrailsTable')),
  workspaces: new WorkspaceStore(client, output('WorkspacesTable')),
  lists: new ListStore(client, output('ListsTable'), randomUUID),
});
