import * as v from 'valibot';
import { attributes } from './attributes.ts';
import { ValidationFailed } from './errors.ts';
import { holds } from './expressions/holds.ts';
import { parseCondition } from './expressions/parse-condition.ts';
import { Placeholders } from './expressions/placeholders.ts';
import { parseProjection, pickAttributes, project } from './expressions/projection.ts';
import { parseKeyCondition } from './key-condition.ts';
import { takePage } from './page.ts';
import { readItem } from './read-value.ts';
import { allNames } from './schema.ts';
import type { SortedItems } from './sorted-items.ts';
import type { Table } from './table.ts';
import type { Item } from './value.ts';

const names = v.optional(v.record(v.string(), v.string()));
const values = v.optional(attributes);
const isConsistent = v.optional(v.boolean(), false);

export const getSchema = v.strictObject({
  TableName: v.string(),
  Key: attributes,
  ConsistentRead: isConsistent,
  ProjectionExpression: v.optional(v.string()),
  ExpressionAttributeNames: names,
});

const pageEntries = {
  TableName: v.string(),
  IndexName: v.optional(v.string()),
  ConsistentRead: isConsistent,
  FilterExpression: v.optional(v.string()),
  ProjectionExpression: v.optional(v.string()),
  ExpressionAttributeNames: names,
  ExpressionAttributeValues: values,
  ExclusiveStartKey: v.optional(attributes),
  Limit: v.optional(v.number()),
};
export const scanSchema = v.strictObject(pageEntries);
export const querySchema = v.strictObject({
  ...pageEntries,
  KeyConditionExpression: v.string(),
  ScanIndexForward: v.optional(v.boolean(), true),
});

type Parsed<Schema extends v.GenericSchema> = v.InferOutput<Schema>;

export function getItem(table: Table, input: Parsed<typeof getSchema>): { Item?: Item } {
  const placeholders = new Placeholders(input);
  const pick = picking(input.ProjectionExpression, placeholders);
  placeholders.assertAllUsed();
  const item = table.items(input.ConsistentRead).find(table.keyFrom(readItem(input.Key)));
  return item === undefined ? {} : { Item: pick(item) };
}

export function query(table: Table, input: Parsed<typeof querySchema>) {
  const items = sourceOf(table, input);
  const placeholders = new Placeholders(input);
  const { hash, includes } = parseKeyCondition(input.KeyConditionExpression, items.names, placeholders);
  const ascending = items.partition(hash).filter(includes);
  const direction = input.ScanIndexForward ? 1 : -1;
  const ordered = direction === 1 ? ascending : ascending.toReversed();
  return readPage(table, items, input, placeholders, (start) => {
    if (start === undefined) return ordered;
    if (!includes(start)) {
      const why = 'does not match the range key predicate';
      throw new ValidationFailed(`The provided starting key ${why}`);
    }
    return ordered.filter((item) => direction * items.compare(item, start) > 0);
  });
}

export function scan(table: Table, input: Parsed<typeof scanSchema>) {
  const items = sourceOf(table, input);
  return readPage(table, items, input, new Placeholders(input), (start) =>
    start === undefined ? items.all() : items.all().filter((item) => items.compare(item, start) > 0),
  );
}

function sourceOf(table: Table, { IndexName, ConsistentRead }: Parsed<typeof scanSchema>): SortedItems {
  if (IndexName === undefined) return table.items(ConsistentRead);
  if (ConsistentRead) {
    throw new ValidationFailed('Consistent reads are not supported on global secondary indexes');
  }
  return table.index(IndexName);
}

function readPage(
  table: Table,
  items: SortedItems,
  input: Parsed<typeof scanSchema>,
  placeholders: Placeholders,
  candidatesAfter: (start: Item | undefined) => readonly Item[],
) {
  const filter =
    input.FilterExpression === undefined
      ? undefined
      : parseCondition(input.FilterExpression, 'FilterExpression', placeholders);
  const pick = picking(input.ProjectionExpression, placeholders);
  placeholders.assertAllUsed();
  if (input.Limit !== undefined && input.Limit < 1) {
    throw new ValidationFailed('Limit must be greater than or equal to 1');
  }
  const keyAttributes = [...new Set([...allNames(items.names), ...allNames(table.names)])];
  const start = input.ExclusiveStartKey === undefined ? undefined : readItem(input.ExclusiveStartKey);
  if (start !== undefined && keyAttributes.toSorted().join() !== Object.keys(start).toSorted().join()) {
    throw new ValidationFailed('The provided starting key is invalid');
  }
  const page = takePage(candidatesAfter(start), {
    limit: input.Limit,
    filter: (item) => filter === undefined || holds(filter, item),
    keyOf: (item) => pickAttributes(item, keyAttributes),
  });
  return { ...page, Items: page.Items.map(pick) };
}

export function picking(projection: string | undefined, placeholders: Placeholders): (item: Item) => Item {
  if (projection === undefined) return (item) => item;
  const paths = parseProjection(projection, placeholders);
  return (item) => project(item, paths);
}
