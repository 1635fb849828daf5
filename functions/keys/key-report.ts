import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { NotFound } from '../http/errors.ts';
import { type Account, accountSchema, emptyAccount, keyAccount } from '../money/account.ts';
import { KEY_HASH } from './key-format.ts';
import { type StoredKey, storedKeySchema } from './key-store.ts';

export const keyNotFound = () => new NotFound('No such key');

/** The hash that a path names; anything that is none is not found, without a look. */
export function checkedKeyHash(text: string): string {
  if (!KEY_HASH.test(text)) throw keyNotFound();
  return text;
}

export interface KeyTables {
  readonly keys: string;
  readonly accounts: string;
}

/**
 * A key and what it has used, consistent and in one call.
 * @throws NotFound
 */
export async function readKeyReport(
  client: DynamoDBDocumentClient,
  { keys, accounts }: KeyTables,
  hash: string,
): Promise<{ key: StoredKey; account: Account }> {
  const { Responses = {} } = await client.send(
    new BatchGetCommand({
      RequestItems: {
        [keys]: { Keys: [{ hash }], ConsistentRead: true },
        [accounts]: { Keys: [{ account: keyAccount(hash) }], ConsistentRead: true },
      },
    }),
  );
  const [key] = v.parse(v.array(storedKeySchema), Responses[keys] ?? []);
  const [account] = v.parse(v.array(accountSchema), Responses[accounts] ?? []);
  if (key === undefined) throw keyNotFound();
  return { key, account: account ?? emptyAccount(keyAccount(hash)) };
}
