import type { TransactItem } from '../aws/dynamo-writes.ts';
import { allShards, shardOf } from '../sweeping/sparse-index.ts';
import type { Finding, Row } from './audit.ts';

interface MarkAudit {
  readonly table: string;
  /** The attribute that says whether something is left to do. */
  readonly state: string;
  readonly isOpen: (state: unknown) => boolean;
  readonly now: Date;
}

/**
 * Exactly the rows with something left to do carry the sweeper's mark: each write that opens or ends one also sets or
 * removes the mark. A row that lacks it waits for ever; one that has ended and still carries it counts as unfinished.
 */
export function findWrongMark(row: Row, { table, state, isOpen, now }: MarkAudit): Finding[] {
  const { id, active } = row;
  if (typeof id !== 'string') return [];
  const marked = { table, id, state: [state, row[state]] } as const;
  const facts = { [state]: row[state], active };
  if (isOpen(row[state])) {
    if (active !== undefined) return [];
    const repair = { row: markActive(marked, now) };
    return [{ id, problem: 'it is open, and no sweeper would find it', facts, repair }];
  }
  // Rows in quarantine have a mark of their own.
  if (typeof active !== 'string' || !allShards().includes(active)) return [];
  const repair = { row: unmarkActive(marked, active) };
  return [{ id, problem: 'it has ended, and sweepers still find it', facts, repair }];
}

/** A row as it was read. `state` is the attribute that says whether anything is left to do, with its value. */
interface MarkedRow {
  readonly table: string;
  readonly id: string;
  readonly state: readonly [name: string, value: unknown];
}

/** Lets the sweeper find a row. Refused when somebody has moved the row, or has marked it already. */
function markActive(row: MarkedRow, now: Date): TransactItem {
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
function unmarkActive(row: MarkedRow, active: string): TransactItem {
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
