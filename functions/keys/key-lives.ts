import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { conditionFailed } from '../aws/conditions.ts';
import { type TransactItem, transact } from '../aws/transact.ts';
import { type Account, emptyAccount, keyAccount } from '../money/account.ts';
import { AccountStore } from '../money/account-store.ts';
import type { AccountUpdate } from '../money/account-update.ts';
import { type Closing, closingUpdate } from '../money/closing.ts';
import { type LimitsChange, limitsUpdate } from '../money/limits.ts';
import { countLiveKeys } from '../workspaces/workspace-rows.ts';
import { changedKeyRow, endedKeyRow, newKeyRow } from './key-rows.ts';
import { type KeyChange, KeyStore, type StoredKey } from './key-store.ts';

export interface KeyLivesTables {
  readonly keys: string;
  readonly accounts: string;
  readonly workspaces: string;
}

/** There is no such key, or no longer. */
export class KeyMissing extends Error {
  override readonly name = 'KeyMissing';
}

/** There is no such workspace, or no longer. */
export class WorkspaceMissing extends Error {
  override readonly name = 'WorkspaceMissing';
}

/** Each attempt but the first was undone by another change of the same key. */
const ATTEMPTS = 5;

/**
 * Every write by which a key begins, changes or ends. Two rows go by it in the same transaction: its account,
 * so that a dead key spends nothing from that moment on, whoever still takes it for a live one; and its
 * workspace, which counts the keys that live in it and cannot be deleted before they are gone.
 */
export class KeyLives {
  readonly #client: DynamoDBDocumentClient;
  readonly #tables: KeyLivesTables;
  readonly #keys: KeyStore;
  readonly #accounts: AccountStore;

  constructor(client: DynamoDBDocumentClient, tables: KeyLivesTables) {
    this.#client = client;
    this.#tables = tables;
    this.#keys = new KeyStore(client, tables.keys);
    this.#accounts = new AccountStore(client, tables.accounts);
  }

  /** @throws WorkspaceMissing */
  async begin(key: StoredKey, money: LimitsChange): Promise<void> {
    const account = emptyAccount(keyAccount(key.hash));
    const workspace = countLiveKeys(this.#tables.workspaces, key.workspace_id, 1);
    const rows = [
      newKeyRow(this.#tables.keys, key),
      this.#toAccount(limitsUpdate(account, money, { closesAt: key.expires_at })),
    ];
    const outcome = await this.#write(rows, workspace);
    if (outcome === 'workspace missing') throw new WorkspaceMissing(key.workspace_id);
    if (outcome !== 'written') throw new Error(`there is a key ${key.hash} already`);
  }

  /**
   * @param limitsOf the limits after the change, where it is about them
   * @throws KeyMissing, WorkspaceMissing
   */
  async change(
    hash: string,
    change: KeyChange,
    now: Date,
    limitsOf?: (account: Account) => LimitsChange,
  ): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const before = isAboutLife(change) ? await this.#find(hash) : undefined;
      const rows = [
        changedKeyRow(this.#tables.keys, hash, change, before, now),
        ...(await this.#accountOf(hash, change, limitsOf)),
      ];
      const workspace = before && this.#recount(before, change.disabled ?? before.disabled);
      const outcome = await this.#write(rows, workspace);
      if (outcome === 'written') return;
      if (outcome === 'workspace missing') {
        if (!change.disabled) throw new WorkspaceMissing(hash);
        if ((await this.#write(rows)) === 'written') return;
      }
      if (before === undefined && outcome === 'key moved') throw new KeyMissing(hash);
    }
    throw new Error(`the key ${hash} changed ${ATTEMPTS} times while it was being changed`);
  }

  /** Whether there was one. */
  async end(hash: string): Promise<boolean> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const key = await this.#keys.find(hash);
      if (key === undefined) return false;
      const rows = [
        endedKeyRow(this.#tables.keys, key),
        this.#toAccount(closingUpdate(keyAccount(hash), { closed: true })),
      ];
      const outcome = await this.#write(rows, key.disabled ? undefined : this.#recount(key, true));
      if (outcome === 'written') return true;
      if (outcome === 'workspace missing' && (await this.#write(rows)) === 'written') return true;
    }
    throw new Error(`the key ${hash} changed ${ATTEMPTS} times while it was being deleted`);
  }

  /** The rows begin with the key's own. */
  async #write(
    rows: TransactItem[],
    workspace?: TransactItem,
  ): Promise<'written' | 'key moved' | 'workspace missing' | 'account moved'> {
    try {
      await transact(this.#client, workspace === undefined ? rows : [...rows, workspace]);
      return 'written';
    } catch (error) {
      if (conditionFailed(error, 0)) return 'key moved';
      if (conditionFailed(error, rows.length)) return 'workspace missing';
      if (conditionFailed(error)) return 'account moved';
      throw error;
    }
  }

  /** Also where the count stays: who is about to delete the workspace has to look at this key again. */
  #recount({ workspace_id, disabled: was }: StoredKey, disabled: boolean): TransactItem {
    return countLiveKeys(this.#tables.workspaces, workspace_id, Number(was) - Number(disabled));
  }

  async #accountOf(
    hash: string,
    { disabled, expires_at }: KeyChange,
    limitsOf: ((account: Account) => LimitsChange) | undefined,
  ): Promise<TransactItem[]> {
    const closing: Closing = {
      ...(disabled === undefined ? {} : { closed: disabled }),
      ...(expires_at === undefined ? {} : { closesAt: expires_at }),
    };
    if (limitsOf !== undefined) {
      const account = await this.#accounts.readOne(keyAccount(hash));
      return [this.#toAccount(limitsUpdate(account, limitsOf(account), closing))];
    }
    const isUnchanged = Object.keys(closing).length === 0;
    return isUnchanged ? [] : [this.#toAccount(closingUpdate(keyAccount(hash), closing))];
  }

  #toAccount(update: AccountUpdate): TransactItem {
    return { Update: { TableName: this.#tables.accounts, ...update } };
  }

  async #find(hash: string): Promise<StoredKey> {
    const key = await this.#keys.find(hash);
    if (key === undefined) throw new KeyMissing(hash);
    return key;
  }
}

const isAboutLife = ({ disabled, expires_at }: KeyChange): boolean =>
  disabled !== undefined || expires_at !== undefined;
