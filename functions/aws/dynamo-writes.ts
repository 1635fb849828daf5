import {
  type AttributeValue,
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand,
  type BatchWriteCommandInput,
  type BatchWriteCommandOutput,
  type DynamoDBDocumentClient,
  paginateQuery,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { jitteredPause } from './jittered-pause.ts';
import { retry } from './retry.ts';

/** One item of a transaction, made by the store that owns the table. */
export type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** The items of a transaction by name, so that a refusal can be asked about by name. */
export type NamedItems = Readonly<Record<string, TransactItem | readonly TransactItem[] | undefined>>;

/** All waits together take at most five seconds; every caller has twenty or more. */
const ATTEMPTS = 10;
const FIRST_WAIT_MILLISECONDS = 25;
const LONGEST_WAIT_MILLISECONDS = 800;

/**
 * Writes all items or none. DynamoDB cancels a transaction that meets another one on the same row, even if no condition
 * failed, and the SDK does not try again. This does, with growing, jittered waits.
 * @throws TransactionRefused when a condition does not hold
 */
export async function transact(client: DynamoDBDocumentClient, named: NamedItems): Promise<void> {
  const items = Object.entries(named).flatMap(([name, item]) =>
    item === undefined ? [] : [item].flat().map((each) => ({ name, item: each })),
  );
  const write = async () => {
    try {
      await client.send(new TransactWriteCommand({ TransactItems: items.map(({ item }) => item) }));
    } catch (error) {
      // A failed condition is final, even if another row of the transaction was only busy.
      const refused = items.flatMap(({ name }, index) => {
        const { Code, Item } = reasonsOf(error)[index] ?? {};
        return Code === 'ConditionalCheckFailed' ? [{ name, item: Item }] : [];
      });
      throw refused.length > 0 ? new TransactionRefused(refused, error) : error;
    }
  };
  await retryConflicts(write);
}

const retryConflicts = (write: () => Promise<unknown>): Promise<unknown> =>
  retry(write, {
    attempts: ATTEMPTS,
    passes: (error) =>
      error instanceof TransactionConflictException ||
      reasonsOf(error).some(({ Code }) => Code === 'TransactionConflict'),
    pause: (failures) =>
      jitteredPause(Math.min(LONGEST_WAIT_MILLISECONDS, FIRST_WAIT_MILLISECONDS * 2 ** failures)),
  });

/** What a cancelled transaction says of each of its items. */
const reasonsOf = (error: unknown) =>
  error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];

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

/** An item with a condition, and the error for the caller where that does not hold. */
export interface WriteCondition {
  readonly check: TransactItem;
  readonly refusal: (cause: unknown) => Error;
}
export type WriteConditions = Readonly<Record<string, WriteCondition>>;

/** The items of a transaction that check the conditions. */
export const checksOf = (conditions: WriteConditions): NamedItems =>
  Object.fromEntries(Object.entries(conditions).map(([name, { check }]) => [name, check]));

/** What the caller is told of a transaction that one of the conditions refused; of any other failure, the error. */
export function refusalOf(error: unknown, conditions: WriteConditions): unknown {
  const [, failed] = Object.entries(conditions).find(([name]) => refusedBy(error, name)) ?? [];
  return failed === undefined ? error : failed.refusal(error);
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

export type ConditionalUpdate = Omit<UpdateCommandInput, 'ReturnValuesOnConditionCheckFailure'>;

const tokenOfRow = v.object({ token: v.exactOptional(v.string()) });

/**
 * Whether the condition held and the row was changed. A write that meets a transaction on its row is tried again.
 * @param token that the update writes, a new one each time: when an answer is lost, the repeated write recognises its
 * own work by it
 */
export async function updateWhere(
  client: DynamoDBDocumentClient,
  update: ConditionalUpdate,
  token?: string,
): Promise<boolean> {
  const input = { ...update, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const };
  try {
    await retryConflicts(() => client.send(new UpdateCommand(input)));
    return true;
  } catch (error) {
    if (!conditionFailed(error)) throw error;
    return token !== undefined && oldItem(error, tokenOfRow)?.token === token;
  }
}

/**
 * A `SET` of these attributes. Each has an alias, because its name may be one of DynamoDB's reserved words and a
 * condition may compare the same attribute with another value.
 */
export function setExpression(changes: Readonly<Record<string, unknown>>) {
  const entries = Object.entries(changes);
  return {
    set: `SET ${entries.map((_, i) => `#change${i} = :change${i}`).join(', ')}`,
    names: Object.fromEntries(entries.map(([name], i) => [`#change${i}`, name])),
    values: Object.fromEntries(entries.map(([, value], i) => [`:change${i}`, value])),
  };
}

/** The limit of one batch write. */
const MOST_WRITES = 25;

/** A query that projects keys, and what those of further rows follow from. */
type KeysQuery = Readonly<Record<'TableName' | 'KeyConditionExpression' | 'ProjectionExpression', string>> & {
  readonly ExpressionAttributeValues: Readonly<Record<string, unknown>>;
  /** @default the table itself */
  readonly IndexName?: string;
};

type RowKey = Readonly<Record<string, unknown>>;

/**
 * Deletes the rows that a query finds, as many at a time as one call takes. Each is passed once: an index may show rows
 * for minutes that are gone.
 * @param goingWith the keys that are deleted for a row that is found
 */
export async function* removeAll(
  client: DynamoDBDocumentClient,
  query: KeysQuery,
  goingWith: (found: RowKey) => readonly RowKey[] = (key) => [key],
): AsyncGenerator<void> {
  const ConsistentRead = query.IndexName === undefined;
  const pages = paginateQuery({ client, pageSize: MOST_WRITES }, { ...query, ConsistentRead });
  for await (const { Items = [] } of pages) {
    if (Items.length === 0) continue;
    await removeRows(client, query.TableName, Items.flatMap(goingWith));
    yield;
  }
}

/** Deletes the rows with these keys. DynamoDB leaves some of a batch when it is busy; they are asked for again. */
export async function removeRows(
  client: DynamoDBDocumentClient,
  table: string,
  keys: readonly RowKey[],
): Promise<void> {
  for (let i = 0; i < keys.length; i += MOST_WRITES) {
    const deletions = keys.slice(i, i + MOST_WRITES).map((Key) => ({ DeleteRequest: { Key } }));
    let left: BatchWriteCommandInput['RequestItems'] = { [table]: deletions };
    while (left !== undefined && Object.keys(left).length > 0) {
      const { UnprocessedItems }: BatchWriteCommandOutput = await client.send(
        new BatchWriteCommand({ RequestItems: left }),
      );
      left = UnprocessedItems;
    }
  }
}
