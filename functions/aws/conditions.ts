import { type AttributeValue, ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';

/** An item whose condition did not hold, and what stood there, where the item asked to be told. */
interface RefusedItem {
  readonly name: string;
  readonly item: Record<string, AttributeValue> | undefined;
}

/** A transaction of which at least one condition did not hold. Nothing of it was written. */
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
 * The item that did not meet the condition of a write that asked for it (`ReturnValuesOnConditionCheckFailure`),
 * as far as the schema looks at it; of a transaction the item with that name.
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
  // The document client leaves the items of errors as they came.
  return item === undefined ? undefined : v.parse(schema, unmarshall(item));
}
