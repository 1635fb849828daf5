import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGetEach } from '../aws/batch-get.ts';
import { NotFound } from '../http/errors.ts';
import { type Account, accountSchema, emptyAccount, keyAccount } from '../money/account.ts';
import type { AccountStore } from '../money/account-store.ts';
import { KEY_HASH } from './key-format.ts';
import { type KeyStore, type StoredKey, storedKeySchema } from './key-store.ts';

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
