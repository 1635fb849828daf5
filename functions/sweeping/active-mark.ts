import type { TransactItem } from '../aws/transact.ts';
import { shardOf } from './sparse-index.ts';

/** A row as it was read. `state` is the attribute that says whether anything is left to do, with its value. */
export interface MarkedRow {
  readonly table: string;
  readonly id: string;
  readonly state: readonly [name: string, value: unknown];
}

/** Lets the sweeper find a row. Refused when somebody has moved the row, or has marked it already. */
export function markActive(row: MarkedRow, now: Date): TransactItem {
  const { names, condition, values } = unchanged(row);
  return {
    Update: {
      TableName: row.table,
      Key: { id: row.id },
      UpdateExpression: 'SET #active = :shard, #due_at = if_not_exists(#due_at, :now)',
      ConditionExpression: `attribute_exists(id) AND attribute_not_exists(#active) AND ${condition}`,
      ExpressionAttributeNames: { '#active': 'active', '#due_at': 'due_at', ...names },
      ExpressionAttributeValues: { ':shard': shardOf(row.id), ':now': now.getTime(), ...values },
    },
  };
}

/** Removes the mark of a row with nothing left to do. Refused when somebody has moved it. */
export function unmarkActive(row: MarkedRow, active: string): TransactItem {
  const { names, condition, values } = unchanged(row);
  return {
    Update: {
      TableName: row.table,
      Key: { id: row.id },
      UpdateExpression: 'REMOVE #active',
      ConditionExpression: `#active = :active AND ${condition}`,
      ExpressionAttributeNames: { '#active': 'active', ...names },
      ExpressionAttributeValues: { ':active': active, ...values },
    },
  };
}

function unchanged({ state: [name, value] }: MarkedRow) {
  const names = { '#state': name };
  return value === undefined
    ? { names, condition: 'attribute_not_exists(#state)', values: {} }
    : { names, condition: '#state = :state', values: { ':state': value } };
}
