import { dynamo } from '../../aws/dynamo.ts';
import { setting } from '../../environment.ts';
import { readKeyReport } from '../../keys/find-key.ts';
import { KeyLives, noGuardrails } from '../../keys/key-lives.ts';
import { KeyStore } from '../../keys/key-store.ts';
import { accountStore } from '../credits/deployed.ts';
import { guardrailStore } from '../guardrails/deployed.ts';
import { listStore } from '../lists/deployed.ts';
import { workspaceStore } from '../workspaces/deployed.ts';

export const keyStore = () => new KeyStore(dynamo, setting('keysTable'));

/**
 * Reads a key and its usage.
 * @throws NotFound
 */
export function keyReports() {
  const stores = { keys: keyStore(), accounts: accountStore() };
  return (hash: string) => readKeyReport(dynamo, stores, hash);
}

const livesStores = () => ({
  keys: keyStore(),
  accounts: accountStore(),
  workspaces: workspaceStore(),
  lists: listStore(),
});

/** Begins and changes keys. */
export const keyLives = () => new KeyLives({ ...livesStores(), guardrails: guardrailStore() });

/** Ends keys. */
export const keyEnds = (): Pick<KeyLives, 'end'> =>
  new KeyLives({ ...livesStores(), guardrails: noGuardrails });
