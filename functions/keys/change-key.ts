import { conditionFailed } from '../aws/conditions.ts';
import type { TransactItem } from '../aws/transact.ts';
import { InvalidRequest } from '../http/errors.ts';
import { keyAccount } from '../money/account.ts';
import type { AccountStore } from '../money/account-store.ts';
import { limitsUpdate } from '../money/limits.ts';
import { holdWorkspace } from '../workspaces/workspace-store.ts';
import type { RequestedKeyChange } from './key.ts';
import { changeKeyLimit, isAboutLimit } from './key-limit.ts';
import { keyNotFound } from './key-report.ts';
import { KeyMissing, type KeyStore } from './key-store.ts';

export interface ChangeKeyPorts {
  readonly keys: Pick<KeyStore, 'read' | 'update'>;
  readonly accounts: Pick<AccountStore, 'readOne'>;
  readonly tables: { readonly accounts: string; readonly workspaces: string };
  readonly now: () => Date;
}

const ATTEMPTS = 5;

/**
 * Changes a key and its limit, both or neither. A limit that somebody else has changed meanwhile is read
 * again and changed upon.
 * @throws NotFound when there is no such key
 */
export async function changeKey(
  hash: string,
  requested: RequestedKeyChange,
  ports: ChangeKeyPorts,
): Promise<void> {
  const { limit: _, limit_reset: _reset, include_byok_in_limit: _byok, ...change } = requested;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const alsoWrite = [
      ...(requested.disabled === false ? await keepWorkspace(hash, ports) : []),
      ...(isAboutLimit(requested) ? await changeLimit(hash, requested, ports) : []),
    ];
    try {
      return await ports.keys.update(hash, change, ports.now(), alsoWrite);
    } catch (error) {
      if (error instanceof KeyMissing) throw keyNotFound();
      if (!conditionFailed(error)) throw error;
    }
  }
  throw new InvalidRequest('The workspace of the key has been deleted, or its limit keeps being changed');
}

/** A key that comes back to life must find its workspace alive, and keep it so. */
async function keepWorkspace(hash: string, { keys, tables }: ChangeKeyPorts): Promise<TransactItem[]> {
  const key = await keys.read(hash);
  return key === undefined ? [] : [holdWorkspace(tables.workspaces, key.workspace_id)];
}

async function changeLimit(
  hash: string,
  requested: RequestedKeyChange,
  { accounts, tables, now }: ChangeKeyPorts,
): Promise<TransactItem[]> {
  const account = await accounts.readOne(keyAccount(hash));
  const change = changeKeyLimit(account, requested, now());
  return [{ Update: { TableName: tables.accounts, ...limitsUpdate(account, change) } }];
}
