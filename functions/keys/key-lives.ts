import { type NamedItems, refusedBy, type TransactItem } from '../aws/dynamo-writes.ts';
import { retryOnConflict } from '../aws/retry.ts';
import { defined } from '../defined.ts';
import { type InvalidRequest, invalidField } from '../http/errors.ts';
import type { ListChange, ListStore } from '../lists/list-store.ts';
import { type Account, emptyAccount, keyAccount } from '../money/account.ts';
import type { AccountStore } from '../money/account-store.ts';
import type { Closing, LimitsChange } from '../money/account-update.ts';
import { ownGuardrailId } from '../workspaces/workspace.ts';
import type { WorkspaceStore } from '../workspaces/workspace-store.ts';
import { type KeyChange, type KeyStore, listings, type StoredKey } from './key-store.ts';

export interface KeyLivesStores {
  readonly keys: Pick<KeyStore, 'find' | 'list' | 'read' | 'insertion' | 'change' | 'deletion'>;
  readonly lists: Pick<ListStore, 'write'>;
  readonly accounts: Pick<AccountStore, 'readOne' | 'changeLimits' | 'changeClosing'>;
  readonly workspaces: Pick<WorkspaceStore, 'countKeys'>;
  readonly guardrails: NameableGuardrails;
}

/** There is no such key, or no longer one. */
export class KeyMissing extends Error {
  override readonly name = 'KeyMissing';
}

/** There is no such workspace, or no longer one. */
export class WorkspaceMissing extends Error {
  override readonly name = 'WorkspaceMissing';
}

/** There is no workspace such as the one that a key should move to. */
export class TargetMissing extends Error {
  override readonly name = 'TargetMissing';
}

/** An attempt fails when another change of the same key came first. */
const ATTEMPTS = 5;

/**
 * Every write by which a key begins, changes or ends. Its account is written in the same transaction, so that a dead
 * key spends nothing from that moment on, even where it is still accepted. So is its workspace, which counts the keys
 * that live in it and cannot be deleted before they are gone; and the lists that the key is in, and the guardrail that
 * it names.
 */
export class KeyLives {
  readonly #stores: KeyLivesStores;

  constructor(stores: KeyLivesStores) {
    this.#stores = stores;
  }

  /**
   * @param also what is written in the same transaction
   * @throws WorkspaceMissing, GuardrailMissing, TransactionRefused where what is written too does not hold
   */
  async begin(key: StoredKey, money: LimitsChange, also: NamedItems = {}): Promise<void> {
    const { keys, accounts, workspaces, guardrails } = this.#stores;
    const id = keyAccount(key.hash);
    const write = (account: TransactItem) =>
      this.#write(
        {
          key: keys.insertion(key),
          account,
          workspace: workspaces.countKeys(key.workspace_id, 1),
          guardrail: namedGuardrail(key, guardrails),
        },
        listings(keys, key, key),
        also,
      );
    const closesAt = key.expires_at;
    let outcome = await write(accounts.changeLimits(emptyAccount(id), money, { closesAt }));
    // A person's key that was deleted has the same hash again, and so the account with its limits.
    if (outcome === 'account moved') {
      outcome = await write(accounts.changeClosing(id, { closed: false, closesAt }));
    }
    if (outcome === 'workspace missing') throw new WorkspaceMissing(key.workspace_id);
    if (outcome !== 'written') throw new Error(`the key ${key.hash} already exists`);
  }

  /**
   * @param limitsOf the limits after the change, if it changes them
   * @param foundIn the workspace outside of which there is no such key for its manager @default any
   * @throws KeyMissing, WorkspaceMissing, TargetMissing, GuardrailMissing
   */
  async change(
    hash: string,
    asked: KeyChange,
    now: Date,
    limitsOf?: (account: Account) => LimitsChange,
    foundIn?: string,
  ): Promise<void> {
    const attempt = async () => {
      const isRead = isAboutWorkspace(asked) || foundIn !== undefined;
      const before = isRead ? await this.#find(hash, foundIn) : undefined;
      const { change, moves, counted, lists } = this.#around(before, asked);
      const items = {
        key: this.#stores.keys.change(hash, change, before, now),
        account: await this.#accountOf(hash, change, limitsOf),
        guardrail: this.#newlyNamed(before, change),
      };
      const outcome = await this.#write({ ...items, ...counted }, lists);
      if (outcome === 'written') return outcome;
      if (outcome === 'workspace missing') {
        if (!change.disabled || moves) throw new WorkspaceMissing(hash);
        if ((await this.#write(items, lists)) === 'written') return 'written';
      }
      if (before === undefined && outcome === 'key moved') throw new KeyMissing(hash);
      return undefined;
    };
    await retryOnConflict(ATTEMPTS, attempt, () => keepsChanging(hash, 'updated'));
  }

  /** Returns whether there was one. @param foundIn as for a change */
  end(hash: string, foundIn?: string): Promise<boolean> {
    const { keys, accounts } = this.#stores;
    const attempt = async () => {
      const key = await keys.find(hash);
      if (key === undefined || isElsewhere(key, foundIn)) return false;
      const items = {
        key: keys.deletion(key),
        account: accounts.changeClosing(keyAccount(hash), { closed: true }),
      };
      const counted = key.disabled ? undefined : this.#recount(key, { ...key, disabled: true });
      const lists = listings(keys, key, undefined);
      const outcome = await this.#write({ ...items, ...counted }, lists);
      if (outcome === 'written') return true;
      if (outcome === 'workspace missing' && (await this.#write(items, lists)) === 'written') return true;
      return undefined;
    };
    return retryOnConflict(ATTEMPTS, attempt, () => keepsChanging(hash, 'deleted'));
  }

  /** What a change means for the workspaces of a key that has been read, and for their lists. */
  #around(before: StoredKey | undefined, asked: KeyChange) {
    if (before === undefined) return { change: asked, moves: false, counted: {}, lists: [] };
    const moves = (asked.workspace_id ?? before.workspace_id) !== before.workspace_id;
    // The guardrail that it named is of the workspace that it leaves.
    const change = moves ? { guardrail_id: null, ...asked } : asked;
    const after = { ...before, ...change };
    const isListed = moves || before.disabled !== after.disabled;
    const lists = isListed ? listings(this.#stores.keys, before, after) : [];
    return { change, moves, counted: this.#recount(before, after), lists };
  }

  async #write(
    items: NamedItems,
    changes: readonly ListChange[],
    also: NamedItems = {},
  ): Promise<'written' | 'key moved' | 'workspace missing' | 'account moved'> {
    try {
      await this.#stores.lists.write({ ...also, ...items }, changes);
      return 'written';
    } catch (error) {
      if (refusedBy(error, ...Object.keys(also))) throw error;
      if (refusedBy(error, 'key')) return 'key moved';
      if (refusedBy(error, 'target')) throw new TargetMissing('of the key', { cause: error });
      if (refusedBy(error, 'guardrail')) throw new GuardrailMissing('of the key', { cause: error });
      if (refusedBy(error, 'workspace')) return 'workspace missing';
      if (refusedBy(error, 'account')) return 'account moved';
      throw error;
    }
  }

  /**
   * Written even if the count stays the same: whoever is about to delete the workspace must then look at this key
   * again.
   */
  #recount(before: StoredKey, after: StoredKey): NamedItems {
    const { workspaces } = this.#stores;
    const [was, is] = [before, after].map(({ disabled }) => Number(!disabled)) as [number, number];
    if (before.workspace_id === after.workspace_id) {
      return { workspace: workspaces.countKeys(before.workspace_id, is - was) };
    }
    return {
      workspace: workspaces.countKeys(before.workspace_id, -was),
      target: workspaces.countKeys(after.workspace_id, is),
    };
  }

  #newlyNamed(before: StoredKey | undefined, change: KeyChange): TransactItem | undefined {
    if (before === undefined || change.guardrail_id === undefined) return undefined;
    return namedGuardrail({ ...before, ...change }, this.#stores.guardrails);
  }

  async #accountOf(
    hash: string,
    { disabled, expires_at }: KeyChange,
    limitsOf: ((account: Account) => LimitsChange) | undefined,
  ): Promise<TransactItem | undefined> {
    const { accounts } = this.#stores;
    const closing: Closing = {
      ...defined({ closed: disabled, closesAt: expires_at }),
    };
    if (limitsOf !== undefined) {
      const account = await accounts.readOne(keyAccount(hash));
      return accounts.changeLimits(account, limitsOf(account), closing);
    }
    const isUnchanged = Object.keys(closing).length === 0;
    return isUnchanged ? undefined : accounts.changeClosing(keyAccount(hash), closing);
  }

  async #find(hash: string, foundIn?: string): Promise<StoredKey> {
    const key = await this.#stores.keys.find(hash);
    if (key === undefined || isElsewhere(key, foundIn)) throw new KeyMissing(hash);
    return key;
  }
}

const isElsewhere = ({ workspace_id }: StoredKey, foundIn = workspace_id): boolean =>
  workspace_id !== foundIn;

/** How many keys are read at once. The removal of a key takes a while, and what was read gets old. */
const SOME_KEYS = 10;

/** The keys of a deleted workspace. Each is disabled or has expired, so its account is closed already. */
export class DeadKeys {
  readonly #keys: Pick<KeyStore, 'list' | 'read' | 'deletion'>;
  readonly #lists: Pick<ListStore, 'write'>;

  constructor(keys: Pick<KeyStore, 'list' | 'read' | 'deletion'>, lists: Pick<ListStore, 'write'>) {
    this.#keys = keys;
    this.#lists = lists;
  }

  /** The index is asked until it shows none: it may show a key as it was before a change, which is not removed then. */
  async *removeAll(workspaceId: string): AsyncGenerator<void> {
    for (let found = true; found; ) {
      found = false;
      for await (const key of this.#keys.list({ workspaceId }, SOME_KEYS)) {
        await this.#remove(key);
        found = true;
        yield;
      }
    }
  }

  async #remove(key: StoredKey): Promise<void> {
    try {
      await this.#lists.write({ key: this.#keys.deletion(key) }, listings(this.#keys, key, undefined));
    } catch (error) {
      // The index may still show a key that is gone, or as it was before a change.
      if (!refusedBy(error, 'key')) throw error;
    }
  }
}

/** Whether the change concerns the workspace: which it is, the key's life in it, or which of its guardrails the key names. */
const isAboutWorkspace = ({ workspace_id, disabled, expires_at, guardrail_id = null }: KeyChange): boolean =>
  [workspace_id, disabled, expires_at].some((each) => each !== undefined) || guardrail_id !== null;

const keepsChanging = (hash: string, whileBeing: string) =>
  new Error(`the key ${hash} changed ${ATTEMPTS} times while it was being ${whileBeing}`);

/** Guardrails ask for the keys that name them, so keys must not import guardrails. */
export interface NameableGuardrails {
  /** Holds only if the workspace has such a guardrail; whoever is about to delete the guardrail notices it. */
  naming(id: string, workspaceId: string): TransactItem;
}

/** Where keys cannot name guardrails. */
export const noGuardrails: NameableGuardrails = {
  naming: (id) => {
    throw new Error(`a key names the guardrail ${id}, but this function has no guardrails`);
  },
};

/** The key's workspace has no such guardrail, or no longer one. */
export class GuardrailMissing extends Error {
  override readonly name = 'GuardrailMissing';
}

/** Undefined where the key names none, or the workspace's own, which exists even before it has a row. */
export function namedGuardrail(
  { guardrail_id: id, workspace_id }: Pick<StoredKey, 'guardrail_id' | 'workspace_id'>,
  guardrails: NameableGuardrails,
): TransactItem | undefined {
  if (id === null || id === ownGuardrailId(workspace_id)) return undefined;
  return guardrails.naming(id, workspace_id);
}

export const noSuchGuardrail = (cause: GuardrailMissing): InvalidRequest =>
  invalidField(
    'guardrail_id',
    'the workspace of the key has no such guardrail; GET /api/v1/guardrails with workspace_id lists its guardrails, and null selects the default guardrail of the workspace',
    { cause },
  );
