import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';

/**
 * The item that did not meet the condition of a write that asked for it (`ReturnValuesOnConditionCheckFailure`),
 * as far as the schema looks at it; of a transaction that of the item at `index`.
 */
export function oldItem<const Schema extends v.GenericSchema>(
  error: unknown,
  schema: Schema,
  index = 0,
): v.InferOutput<Schema> | undefined {
  const item =
    error instanceof TransactionCanceledException
      ? error.CancellationReasons?.[index]?.Item
      : error instanceof ConditionalCheckFailedException
        ? error.Item
        : undefined;
  // The document client leaves the items of errors as they came.
  return item === undefined ? undefined : v.parse(schema, unmarshall(item));
}

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
