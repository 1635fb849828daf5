import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGetEach } from '../aws/dynamo-reads.ts';
import { NotFound } from '../http/errors.ts';
import { type ListPage, type ListStore, readList } from '../lists/list-store.ts';
import {
  type Account,
  accountSchema,
  emptyAccount,
  guardrailAccount,
  keyAccount,
  workspaceAccount,
} from '../money/account.ts';
import type { AccountStore } from '../money/account-store.ts';
import { guardrailIn, readWorkspace } from '../workspaces/workspace.ts';
import type { WorkspaceStore } from '../workspaces/workspace-store.ts';
import type { LimitingAccounts } from './key-budgets.ts';
import { KEY_HASH } from './key-format.ts';
import { type KeyStore, keyList, type StoredKey, storedKeySchema } from './key-store.ts';

export const keyNotFound = () => new NotFound('No such key');

/** The key's hash in a path. Text that cannot be a hash is not found, without a read. */
export function checkedKeyHash(text: string): string {
  if (!KEY_HASH.test(text)) throw keyNotFound();
  return text;
}

export interface KeyReportStores {
  readonly keys: KeyStore;
  readonly accounts: AccountStore;
}

/**
 * A key and its usage, read consistently in one call.
 * @throws NotFound
 */
export async function readKeyReport(
  client: DynamoDBDocumentClient,
  { keys, accounts }: KeyReportStores,
  hash: string,
): Promise<{ key: StoredKey; account: Account }> {
  const id = keyAccount(hash);
  const rows = await batchGetEach(client, { key: keys.row(hash), account: accounts.row(id) });
  if (rows.key === undefined) throw keyNotFound();
  const account = rows.account === undefined ? emptyAccount(id) : v.parse(accountSchema, rows.account);
  return { key: v.parse(storedKeySchema, rows.key), account };
}

/**
 * A key, and every account that limits its submits in its workspace.
 * @throws NotFound where the key, or its workspace, is deleted
 */
export async function readKeyWithLimits(
  client: DynamoDBDocumentClient,
  { keys, accounts, workspaces }: KeyReportStores & { readonly workspaces: Pick<WorkspaceStore, 'row'> },
  { hash, workspaceId }: { readonly hash: string; readonly workspaceId: string },
): Promise<{ key: StoredKey; limiting: LimitingAccounts }> {
  const rows = await batchGetEach(client, { key: keys.row(hash), workspace: workspaces.row(workspaceId) });
  const workspace = rows.workspace && readWorkspace(rows.workspace);
  if (rows.key === undefined || workspace === undefined) throw keyNotFound();
  const key = v.parse(storedKeySchema, rows.key);
  const guardrailId = guardrailIn(workspaceId, key) ?? workspace.default_guardrail_id;
  const ids = {
    own: keyAccount(hash),
    workspace: workspaceAccount(workspaceId),
    guardrail: guardrailAccount(guardrailId),
  };
  const read = await accounts.read(Object.values(ids));
  const find = (id: string) => read.find(({ account }) => account === id) ?? emptyAccount(id);
  const limiting = { own: find(ids.own), workspace: find(ids.workspace), guardrail: find(ids.guardrail) };
  return { key, limiting: { ...limiting, guardrailId } };
}

/** The number of rows that one batch read of DynamoDB takes. */
const PAGE = 100;

export interface NamingKeyPorts {
  readonly keys: Pick<KeyStore, 'list' | 'read'>;
  readonly lists: Pick<ListStore, 'page'>;
}

/**
 * The keys of a workspace, or of all, that name a guardrail, enabled or not. The newest are read first: when keys are
 * deleted meanwhile, the others move towards the beginning, which is still to be read.
 */
export async function* namingKeys(
  workspaceId: string | undefined,
  { keys, lists }: NamingKeyPorts,
): AsyncGenerator<StoredKey> {
  const at = (offset: number) => readList(lists, keyList(keys, workspaceId), { offset, limit: PAGE });
  const naming = ({ rows }: ListPage<StoredKey>) => rows.filter(({ guardrail_id }) => guardrail_id !== null);
  const first = await at(0);
  if (first.total <= PAGE) return yield* naming(first);
  for (let offset = PAGE * Math.floor((first.total - 1) / PAGE); offset >= 0; offset -= PAGE) {
    yield* naming(await at(offset));
  }
}

/** A key of the workspace, enabled or not, that names the guardrail. */
export async function findNamingKey(
  guardrailId: string,
  workspaceId: string,
  ports: NamingKeyPorts,
): Promise<StoredKey | undefined> {
  for await (const key of namingKeys(workspaceId, ports)) if (key.guardrail_id === guardrailId) return key;
  return undefined;
}
