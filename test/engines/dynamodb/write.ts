import * as v from 'valibot';
import { attributes } from './attributes.ts';
import { ConditionFailed, ValidationFailed } from './errors.ts';
import { applyUpdate } from './expressions/apply-update.ts';
import { holds } from './expressions/holds.ts';
import { parseCondition } from './expressions/parse-condition.ts';
import { parseUpdate } from './expressions/parse-update.ts';
import type { Path } from './expressions/path.ts';
import { Placeholders } from './expressions/placeholders.ts';
import { pathsOf } from './expressions/update.ts';
import { readItem } from './read-value.ts';
import { allNames } from './schema.ts';
import type { Table } from './table.ts';
import type { Item } from './value.ts';

/** The fields that every kind of write has, alone or in a transaction. */
const conditionEntries = {
  TableName: v.string(),
  ConditionExpression: v.optional(v.string()),
  ExpressionAttributeNames: v.optional(v.record(v.string(), v.string())),
  ExpressionAttributeValues: v.optional(attributes),
  ReturnValuesOnConditionCheckFailure: v.optional(v.picklist(['NONE', 'ALL_OLD']), 'NONE'),
};
export const putEntries = { ...conditionEntries, Item: attributes };
export const deleteEntries = { ...conditionEntries, Key: attributes };
export const updateEntries = {
  ...conditionEntries,
  Key: attributes,
  UpdateExpression: v.optional(v.string()),
};
export const checkEntries = { ...conditionEntries, Key: attributes, ConditionExpression: v.string() };

const conditionSchema = v.strictObject(conditionEntries);
type ConditionInput = v.InferOutput<typeof conditionSchema>;

/** A valid write. The row still decides whether it may happen. */
export interface Write {
  readonly table: Table;
  readonly key: Item;
  /** The row after the write. @throws ConditionFailed, ValidationFailed */
  readonly outcome: (before: Item | undefined) => Item | undefined;
  /** The paths that an update changes. */
  readonly paths: readonly Path[];
}

type Input<Entries extends v.ObjectEntries> = v.InferOutput<v.StrictObjectSchema<Entries, undefined>>;

export function putWrite(table: Table, input: Input<typeof putEntries>): Write {
  const placeholders = new Placeholders(input);
  const require = requirement(input, placeholders);
  placeholders.assertAllUsed();
  const item = readItem(input.Item);
  const key = table.keyOf(item);
  table.check(item, 'Item size has exceeded the maximum allowed size');
  const outcome = (before: Item | undefined) => {
    require(before);
    return item;
  };
  return { table, key, outcome, paths: [] };
}

export function deleteWrite(table: Table, input: Input<typeof deleteEntries>): Write {
  const check = checkWrite(table, input);
  const outcome = (before: Item | undefined) => {
    check.outcome(before);
    return undefined;
  };
  return { ...check, outcome };
}

export function updateWrite(table: Table, input: Input<typeof updateEntries>): Write {
  const placeholders = new Placeholders(input);
  const key = table.keyFrom(readItem(input.Key));
  const update =
    input.UpdateExpression === undefined ? undefined : parseUpdate(input.UpdateExpression, placeholders);
  const require = requirement(input, placeholders);
  placeholders.assertAllUsed();
  const paths = update === undefined ? [] : pathsOf(update);
  assertNoKey(table, paths);
  const outcome = (before: Item | undefined) => {
    require(before);
    const after = update === undefined ? (before ?? key) : applyUpdate(update, before ?? key);
    table.check(after, 'Item size to update has exceeded the maximum allowed size');
    return after;
  };
  return { table, key, outcome, paths };
}

/** A check of a condition without a change. It only exists within transactions. */
export function checkWrite(table: Table, input: ConditionInput & { Key: Record<string, unknown> }): Write {
  const placeholders = new Placeholders(input);
  const require = requirement(input, placeholders);
  placeholders.assertAllUsed();
  const outcome = (before: Item | undefined) => {
    require(before);
    return before;
  };
  return { table, key: table.keyFrom(readItem(input.Key)), outcome, paths: [] };
}

function requirement(
  { ConditionExpression, ReturnValuesOnConditionCheckFailure }: ConditionInput,
  placeholders: Placeholders,
): (before: Item | undefined) => void {
  if (ConditionExpression === undefined) return () => undefined;
  const condition = parseCondition(ConditionExpression, 'ConditionExpression', placeholders);
  return (before) => {
    if (holds(condition, before ?? {})) return;
    throw new ConditionFailed(ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? before : undefined);
  };
}

function assertNoKey(table: Table, paths: readonly Path[]): void {
  const name = allNames(table.names).find((each) => paths.some(([first]) => first === each));
  if (name === undefined) return;
  throw new ValidationFailed(
    `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`,
  );
}
