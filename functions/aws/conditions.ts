import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';

/**
 * Whether a write was refused because a condition did not hold: any one of it, or in a transaction that of
 * the item at `index`.
 */
export function conditionFailed(error: unknown, index?: number): boolean {
  if (error instanceof ConditionalCheckFailedException) return index === undefined || index === 0;
  if (!(error instanceof TransactionCanceledException)) return false;
  const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code);
  if (index === undefined) return codes.includes('ConditionalCheckFailed');
  return codes[index] === 'ConditionalCheckFailed';
}
