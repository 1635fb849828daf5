import type { TransactItem } from '../aws/transact.ts';
import { KEY_LISTING, type KeyChange, type StoredKey } from './key-store.ts';

/** The writes to a key's own row, as parts of the transactions that `KeyLives` makes. */
export function newKeyRow(table: string, key: StoredKey): TransactItem {
  return {
    Put: {
      TableName: table,
      Item: { ...key, listing: KEY_LISTING, listed_as: `${key.created_at} ${key.hash}` },
      ConditionExpression: 'attribute_not_exists(#hash)',
      ExpressionAttributeNames: { '#hash': 'hash' },
    },
  };
}

/** @param before the key as it was read, where the change depends on it */
export function changedKeyRow(
  table: string,
  hash: string,
  change: KeyChange,
  before: StoredKey | undefined,
  now: Date,
): TransactItem {
  const entries = Object.entries({ ...change, updated_at: now.toISOString() });
  const isAsRead = before === undefined ? undefined : asRead(before);
  return {
    Update: {
      TableName: table,
      Key: { hash },
      UpdateExpression: `SET ${entries.map((_, i) => `#change${i} = :change${i}`).join(', ')}`,
      ConditionExpression: isAsRead?.ConditionExpression ?? 'attribute_exists(#hash)',
      ExpressionAttributeNames: {
        ...(isAsRead?.ExpressionAttributeNames ?? { '#hash': 'hash' }),
        ...Object.fromEntries(entries.map(([name], i) => [`#change${i}`, name])),
      },
      ExpressionAttributeValues: {
        ...isAsRead?.ExpressionAttributeValues,
        ...Object.fromEntries(entries.map(([, value], i) => [`:change${i}`, value])),
      },
    },
  };
}

export const endedKeyRow = (table: string, key: StoredKey): TransactItem => ({
  Delete: { TableName: table, Key: { hash: key.hash }, ...asRead(key) },
});

/** Whether it counts as a live one has not changed since. */
const asRead = ({ disabled }: StoredKey) => ({
  ConditionExpression: '#disabled = :was',
  ExpressionAttributeNames: { '#disabled': 'disabled' },
  ExpressionAttributeValues: { ':was': disabled },
});

/** Part of a transaction that a key must live to see. */
export const keyIsLive = (table: string, hash: string, now: Date): TransactItem => ({
  ConditionCheck: {
    TableName: table,
    Key: { hash },
    ConditionExpression: '#disabled = :no AND NOT #expires_at <= :now',
    ExpressionAttributeNames: { '#disabled': 'disabled', '#expires_at': 'expires_at' },
    ExpressionAttributeValues: { ':no': false, ':now': now.toISOString() },
  },
});
