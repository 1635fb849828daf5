import { ServiceError } from '../service.ts';
import { ConditionFailed, ValidationFailed } from './errors.ts';
import { itemSize, LARGEST_TRANSACTION } from './item-size.ts';
import type { Item } from './value.ts';
import type { Write } from './write.ts';

const MOST_WRITES = 100;

export interface CancellationReason {
  readonly Code: string;
  readonly Message?: string;
  readonly Item?: Item;
}

const NO_REASON: CancellationReason = { Code: 'None' };
export const CONFLICT: CancellationReason = {
  Code: 'TransactionConflict',
  Message: 'Transaction is ongoing for the item',
};

export class TransactionCanceled extends ServiceError {
  constructor(reasons: readonly CancellationReason[]) {
    super(
      'TransactionCanceledException',
      `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons.map(({ Code }) => Code).join(', ')}]`,
      400,
      { CancellationReasons: reasons },
    );
  }
}

/**
 * Makes all writes or none, in two steps like DynamoDB: it checks and holds the items, and writes them later. Meanwhile
 * another transaction on one of the items fails.
 * @throws TransactionCanceled, ValidationFailed
 */
export async function runTransaction(writes: readonly Write[], pause: () => Promise<void>): Promise<void> {
  assertPossible(writes);
  const outcomes = prepare(writes);
  for (const { table, key } of writes) table.lock(key);
  await pause();
  for (const { write, after } of outcomes) {
    write.table.unlock(write.key);
    write.table.write(write.key, after, 2);
  }
}

function assertPossible(writes: readonly Write[]): void {
  if (writes.length === 0 || writes.length > MOST_WRITES) {
    const bound = writes.length === 0 ? 'greater than or equal to 1' : `less than or equal to ${MOST_WRITES}`;
    throw new ValidationFailed(
      `1 validation error detected: Value at 'transactItems' failed to satisfy constraint: Member must have length ${bound}`,
    );
  }
  const ids = writes.map(({ table, key }) => `${table.name} ${JSON.stringify(key)}`);
  if (new Set(ids).size === ids.length) return;
  throw new ValidationFailed('Transaction request cannot include multiple operations on one item');
}

function prepare(writes: readonly Write[]) {
  const outcomes = writes.map((write) => {
    if (write.table.isLocked(write.key)) return { write, after: undefined, reason: CONFLICT };
    try {
      return { write, after: write.outcome(write.table.items(true).find(write.key)), reason: NO_REASON };
    } catch (error) {
      return { write, after: undefined, reason: reasonOf(error) };
    }
  });
  const reasons = outcomes.map(({ reason }) => reason);
  if (reasons.some(({ Code }) => Code !== 'None')) throw new TransactionCanceled(reasons);
  const size = outcomes.reduce((sum, { after }) => sum + (after === undefined ? 0 : itemSize(after)), 0);
  if (size > LARGEST_TRANSACTION) {
    throw new ValidationFailed('Aggregated size of all items in transaction cannot exceed 4MB');
  }
  return outcomes;
}

function reasonOf(error: unknown): CancellationReason {
  if (error instanceof ConditionFailed) {
    return { Code: 'ConditionalCheckFailed', Message: error.message, ...error.details };
  }
  if (error instanceof ValidationFailed) return { Code: 'ValidationError', Message: error.message };
  throw error;
}
