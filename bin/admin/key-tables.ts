import type { KeyLivesTables } from '../../functions/keys/key-lives.ts';
import type { Deployment } from './command.ts';

/** The tables that a change of a key writes to. */
export const keyTables = ({ output }: Deployment): KeyLivesTables => ({
  keys: output('KeysTable'),
  accounts: output('AccountsTable'),
  workspaces: output('WorkspacesTable'),
});
