import { dynamo } from '../../aws/dynamo.ts';
import { setting } from '../../environment.ts';
import { KeyLives } from '../../keys/key-lives.ts';
import { readKeyReport } from '../../keys/key-report.ts';
import { KeyStore } from '../../keys/key-store.ts';
import { accountStore } from '../credits/deployed.ts';
import { guardrailStore } from '../guardrails/deployed.ts';
import { listStore } from '../lists/deployed.ts';
import { workspaceStore } from '../workspaces/deployed.ts';

export const keyStore = () => new KeyStore(dynamo, setting('keysTable'));

/** Reads a key and what it has used. @throws NotFound */
export function keyReports() {
  const stores = { keys: keyStore(), accounts: accountStore() };
  return (hash: string) => readKeyReport(dynamo, stores, hash);
}

/** What begins, changes and ends keys. */
export const keyLives = () =>
  new KeyLives({
    keys: keyStore(),
    accounts: accountStore(),
    workspaces: workspaceStore(),
    guardrails: guardrailStore(),
    lists: listStore(),
  });
