import { type AttributeValue, ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';

/** An item whose condition did not hold, with the row as it was, where the item asked for that. */
interface RefusedItem {
  readonly name: string;
  readonly item: Record<string, AttributeValue> | undefined;
}

/** At least one condition of a transaction did not hold. Nothing of the transaction was written. */
export class TransactionRefused extends Error {
  override readonly name = 'TransactionRefused';
  readonly refused: readonly RefusedItem[];

  constructor(refused: readonly RefusedItem[], cause: unknown) {
    super(`conditions of the transaction do not hold: ${refused.map(({ name }) => name).join(', ')}`, {
      cause,
    });
    this.refused = refused;
  }
}

/** Whether a transaction was refused because of an item with one of these names. */
export function refusedBy(error: unknown, ...names: readonly string[]): boolean {
  return error instanceof TransactionRefused && error.refused.some(({ name }) => names.includes(name));
}

/** Whether a single write was refused because its condition did not hold. */
export const conditionFailed = (error: unknown): error is ConditionalCheckFailedException =>
  error instanceof ConditionalCheckFailedException;

/**
 * The row that failed the condition of a write with `ReturnValuesOnConditionCheckFailure`, parsed by the schema; of a
 * transaction, the row of the item with that name.
 */
export function oldItem<const Schema extends v.GenericSchema>(
  error: unknown,
  schema: Schema,
  name?: string,
): v.InferOutput<Schema> | undefined {
  const item = conditionFailed(error)
    ? error.Item
    : error instanceof TransactionRefused
      ? error.refused.find((each) => each.name === name)?.item
      : undefined;
  // The document client does not unmarshal the items of errors.
  return item === undefined ? undefined : v.parse(schema, unmarshall(item));
}
