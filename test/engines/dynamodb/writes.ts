import * as v from 'valibot';
import type { Fault } from '../faults.ts';
import { operation, ServiceError } from '../service.ts';
import { parseCondition } from './condition.ts';
import { type Path, Placeholders, wholeAttribute } from './expression.ts';
import { allNames } from './sorted-items.ts';
import type { Table } from './table.ts';
import { parseUpdate } from './update.ts';
import { type Item, invalid, itemSchema, pickAttributes } from './value.ts';

export type FindTable = (name: string) => Table;

/** The fields that every kind of write has, alone or in a transaction. */
const condition = {
  TableName: v.string(),
  ConditionExpression: v.optional(v.string()),
  ExpressionAttributeNames: v.optional(v.record(v.string(), v.string())),
  ExpressionAttributeValues: v.optional(itemSchema),
  ReturnValuesOnConditionCheckFailure: v.optional(v.picklist(['NONE', 'ALL_OLD']), 'NONE'),
};
const put = { ...condition, Item: itemSchema };
const remove = { ...condition, Key: itemSchema };
const update = { ...remove, UpdateExpression: v.optional(v.string()) };

/** A write within a transaction. */
export const transactedSchema = v.strictObject({
  Put: v.optional(v.strictObject(put)),
  Delete: v.optional(v.strictObject(remove)),
  Update: v.optional(v.strictObject(update)),
  ConditionCheck: v.optional(v.strictObject({ ...remove, ConditionExpression: v.string() })),
});

type Transacted = v.InferOutput<typeof transactedSchema>;
type Given<Kind extends keyof Transacted> = NonNullable<Transacted[Kind]>;

/** A valid write. The row still decides whether it may happen. */
export interface Write {
  readonly table: Table;
  readonly key: Item;
  /** The row after the write. @throws ServiceError */
  readonly outcome: (before: Item | undefined) => Item | undefined;
  /** The paths that an update changes. */
  readonly paths: readonly Path[];
}

export function putWrite(table: Table, input: Given<'Put'>): Write {
  const require = requirement(input);
  const key = table.keyOf(input.Item);
  table.check(input.Item, 'Item size has exceeded the maximum allowed size');
  const outcome = (before: Item | undefined) => {
    require(before);
    return input.Item;
  };
  return { table, key, outcome, paths: [] };
}

export function deleteWrite(table: Table, input: Given<'Delete'>): Write {
  const check = checkWrite(table, input);
  const outcome = (before: Item | undefined) => {
    check.outcome(before);
    return undefined;
  };
  return { ...check, outcome };
}

/** A check of a condition without a change. It only exists within transactions. */
function checkWrite(table: Table, input: Given<'Delete'>): Write {
  const require = requirement(input);
  const outcome = (before: Item | undefined) => {
    require(before);
    return before;
  };
  return { table, key: table.keyFrom(input.Key), outcome, paths: [] };
}

function updateWrite(table: Table, input: Given<'Update'>): Write {
  const placeholders = new Placeholders(input);
  const key = table.keyFrom(input.Key);
  const { paths, apply } =
    input.UpdateExpression === undefined
      ? { paths: [], apply: (before: Item) => before }
      : parseUpdate(input.UpdateExpression, placeholders);
  const require = requirement(input, placeholders);
  const changed = allNames(table.names).find((name) => paths.some(([first]) => first === name));
  if (changed !== undefined) {
    throw invalid(
      `One or more parameter values were invalid: Cannot update attribute ${changed}. This attribute is part of the key`,
    );
  }
  const outcome = (before: Item | undefined) => {
    require(before);
    const after = apply(before ?? key);
    table.check(after, 'Item size to update has exceeded the maximum allowed size');
    return after;
  };
  return { table, key, outcome, paths };
}

/** @param placeholders of which all must be used now @returns a check of the row, which throws a ServiceError */
function requirement(
  input: Given<'Delete'> | Given<'Put'>,
  placeholders = new Placeholders(input),
): (before: Item | undefined) => void {
  const { ConditionExpression, ReturnValuesOnConditionCheckFailure } = input;
  const holds =
    ConditionExpression === undefined
      ? () => true
      : parseCondition(ConditionExpression, 'ConditionExpression', placeholders);
  placeholders.assertAllUsed();
  return (before) => {
    if (holds(before ?? {})) return;
    const shown = ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && before !== undefined;
    const details = shown ? { Item: before } : {};
    throw new ServiceError('ConditionalCheckFailedException', 'The conditional request failed', 400, details);
  };
}

/** @throws ServiceError unless it is exactly one write */
export function transactedWrite(find: FindTable, { Put, Delete, Update, ConditionCheck }: Transacted): Write {
  const [write, another] = [
    Put && putWrite(find(Put.TableName), Put),
    Delete && deleteWrite(find(Delete.TableName), Delete),
    Update && updateWrite(find(Update.TableName), Update),
    ConditionCheck && checkWrite(find(ConditionCheck.TableName), ConditionCheck),
  ].filter((each) => each !== undefined);
  if (write !== undefined && another === undefined) return write;
  throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
}

const oldValues = v.optional(v.picklist(['NONE', 'ALL_OLD']), 'NONE');
const returnValues = v.optional(v.picklist(['NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_NEW']), 'NONE');

export const singleWrites = (find: FindTable) => ({
  PutItem: operation(v.strictObject({ ...put, ReturnValues: oldValues }), (input, fault) =>
    perform(putWrite(find(input.TableName), input), input.ReturnValues, fault),
  ),
  DeleteItem: operation(v.strictObject({ ...remove, ReturnValues: oldValues }), (input, fault) =>
    perform(deleteWrite(find(input.TableName), input), input.ReturnValues, fault),
  ),
  UpdateItem: operation(v.strictObject({ ...update, ReturnValues: returnValues }), (input, fault) =>
    perform(updateWrite(find(input.TableName), input), input.ReturnValues, fault),
  ),
});

export const LOCKED = 'Transaction is ongoing for the item';

function perform(
  { table, key, outcome, paths }: Write,
  wanted: v.InferOutput<typeof returnValues>,
  fault: Fault | undefined,
): { Attributes?: Item } {
  if (fault === 'conflict' || table.isLocked(key)) {
    throw new ServiceError('TransactionConflictException', LOCKED);
  }
  const before = table.items(true).find(key);
  const after = outcome(before);
  table.write(key, after);
  const shown = wanted === 'ALL_OLD' ? before : after;
  if (wanted === 'NONE' || shown === undefined) return {};
  return { Attributes: wanted === 'UPDATED_NEW' ? pickAttributes(shown, paths.map(wholeAttribute)) : shown };
}
