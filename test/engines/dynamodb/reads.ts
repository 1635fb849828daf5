import * as v from 'valibot';
import { operation } from '../service.ts';
import { parseCondition, parseKeyCondition } from './condition.ts';
import { Placeholders, parseProjection } from './expression.ts';
import type { SortedItems } from './sorted-items.ts';
import type { Table } from './table.ts';
import { type Item, invalid, itemSchema, itemSize, pickAttributes } from './value.ts';
import type { FindTable } from './writes.ts';

const read = {
  TableName: v.string(),
  ConsistentRead: v.optional(v.boolean(), false),
  ProjectionExpression: v.optional(v.string()),
  ExpressionAttributeNames: v.optional(v.record(v.string(), v.string())),
};
const page = {
  ...read,
  IndexName: v.optional(v.string()),
  FilterExpression: v.optional(v.string()),
  ExpressionAttributeValues: v.optional(itemSchema),
  ExclusiveStartKey: v.optional(itemSchema),
  Limit: v.optional(v.pipe(v.number(), v.minValue(1))),
};
const getSchema = v.strictObject({ ...read, Key: itemSchema });
const scanSchema = v.strictObject(page);
const querySchema = v.strictObject({
  ...page,
  KeyConditionExpression: v.string(),
  ScanIndexForward: v.optional(v.boolean(), true),
});

export const reads = (find: FindTable) => ({
  GetItem: operation(getSchema, (input) => getItem(find(input.TableName), input)),
  Query: operation(querySchema, (input) => query(find(input.TableName), input)),
  Scan: operation(scanSchema, (input) => scan(find(input.TableName), input)),
});

function getItem(table: Table, input: v.InferOutput<typeof getSchema>): { Item?: Item } {
  const placeholders = new Placeholders(input);
  const names = parseProjection(input.ProjectionExpression, placeholders);
  placeholders.assertAllUsed();
  const item = table.items(input.ConsistentRead).find(table.keyFrom(input.Key));
  if (item === undefined) return {};
  return { Item: names === undefined ? item : pickAttributes(item, names) };
}

function query(table: Table, input: v.InferOutput<typeof querySchema>) {
  const items = sourceOf(table, input);
  const placeholders = new Placeholders(input);
  const { hash, includes } = parseKeyCondition(input.KeyConditionExpression, items.names, placeholders);
  const ascending = items.partition(hash).filter(includes);
  const direction = input.ScanIndexForward ? 1 : -1;
  const ordered = direction === 1 ? ascending : ascending.toReversed();
  return readPage(items, input, placeholders, (start) => {
    if (start === undefined) return ordered;
    if (!includes(start)) {
      throw invalid('The provided starting key does not match the range key predicate');
    }
    return ordered.filter((item) => direction * items.compare(item, start) > 0);
  });
}

function scan(table: Table, input: v.InferOutput<typeof scanSchema>) {
  const items = sourceOf(table, input);
  return readPage(items, input, new Placeholders(input), (start) =>
    start === undefined ? items.all() : items.all().filter((item) => items.compare(item, start) > 0),
  );
}

function sourceOf(table: Table, input: v.InferOutput<typeof scanSchema>): SortedItems {
  if (input.IndexName === undefined) return table.items(input.ConsistentRead);
  if (!input.ConsistentRead) return table.index(input.IndexName);
  throw invalid('Consistent reads are not supported on global secondary indexes');
}

function readPage(
  items: SortedItems,
  input: v.InferOutput<typeof scanSchema>,
  placeholders: Placeholders,
  candidatesAfter: (start: Item | undefined) => readonly Item[],
) {
  const { FilterExpression, ProjectionExpression, ExclusiveStartKey: start, Limit } = input;
  const filter = FilterExpression && parseCondition(FilterExpression, 'FilterExpression', placeholders);
  const names = parseProjection(ProjectionExpression, placeholders);
  placeholders.assertAllUsed();
  if (start !== undefined && !items.isKey(start)) throw invalid('The provided starting key is invalid');
  const candidates = candidatesAfter(start);
  const scanned = candidates.slice(0, Math.min(Limit ?? candidates.length, countWithinPage(candidates)));
  const isLast = scanned.length === candidates.length && scanned.length !== Limit;
  const last = scanned.at(-1);
  const found = filter ? scanned.filter(filter) : scanned;
  return {
    Items: names === undefined ? found : found.map((item) => pickAttributes(item, names)),
    Count: found.length,
    ScannedCount: scanned.length,
    ...(isLast || last === undefined ? {} : { LastEvaluatedKey: items.keyOf(last) }),
  };
}

const LARGEST_PAGE = 1024 ** 2;

/** The filter comes after this limit, so a page may be empty. At least 1, because an item is smaller than a page. */
function countWithinPage(candidates: readonly Item[]): number {
  let size = 0;
  const over = candidates.findIndex((item) => {
    size += itemSize(item);
    return size > LARGEST_PAGE;
  });
  return over < 0 ? candidates.length : over;
}
