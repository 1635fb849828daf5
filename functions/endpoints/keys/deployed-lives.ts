import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { readEnvironment } from '../../environment.ts';
import { KeyLives } from '../../keys/key-lives.ts';

/** Over the deployment's tables. */
export function keyLives(): KeyLives {
  const { KEYS_TABLE, ACCOUNTS_TABLE, WORKSPACES_TABLE } = readEnvironment({
    KEYS_TABLE: v.string(),
    ACCOUNTS_TABLE: v.string(),
    WORKSPACES_TABLE: v.string(),
  });
  return new KeyLives(dynamo, { keys: KEYS_TABLE, accounts: ACCOUNTS_TABLE, workspaces: WORKSPACES_TABLE });
}
