import * as v from 'valibot';
import { operation } from '../service.ts';
import { Placeholders, parseProjection } from './expression.ts';
import type { Table } from './table.ts';
import { type Item, invalid, itemSchema, itemSize, pickAttributes } from './value.ts';
import { deleteWrite, type FindTable, putWrite, type Write } from './writes.ts';

const MOST_GETS = 100;
const MOST_WRITES = 25;
const LARGEST_ANSWER = 16 * 1024 ** 2;

const getSchema = v.strictObject({
  RequestItems: v.record(
    v.string(),
    v.strictObject({
      Keys: v.array(itemSchema),
      ConsistentRead: v.optional(v.boolean(), false),
      ProjectionExpression: v.optional(v.string()),
      ExpressionAttributeNames: v.optional(v.record(v.string(), v.string())),
    }),
  ),
});

const writeSchema = v.strictObject({
  RequestItems: v.record(
    v.string(),
    v.array(
      v.union([
        v.strictObject({ PutRequest: v.strictObject({ Item: itemSchema }) }),
        v.strictObject({ DeleteRequest: v.strictObject({ Key: itemSchema }) }),
      ]),
    ),
  ),
});

export const batches = (find: FindTable) => ({
  BatchGetItem: operation(getSchema, ({ RequestItems }, fault) =>
    batchGet(find, RequestItems, fault === 'unprocessed' ? 1 : MOST_GETS),
  ),
  BatchWriteItem: operation(writeSchema, ({ RequestItems }, fault) =>
    batchWrite(find, RequestItems, fault === 'unprocessed' ? 1 : MOST_WRITES),
  ),
});

type Gets = v.InferOutput<typeof getSchema>['RequestItems'];
type Writes = v.InferOutput<typeof writeSchema>['RequestItems'];

/** @param most how many keys are looked up; the rest stays unprocessed */
function batchGet(find: FindTable, requests: Gets, most: number) {
  const gets = Object.entries(requests).flatMap(([name, request]) => lookUp(find(name), request));
  assertBatch(gets, MOST_GETS);
  let size = 0;
  const over = gets.findIndex(({ row }) => {
    size += row === undefined ? 0 : itemSize(row);
    return size > LARGEST_ANSWER;
  });
  const count = Math.min(most, over < 0 ? gets.length : over);
  const [done, left] = [gets.slice(0, count), gets.slice(count)];
  const of = (each: typeof gets, name: string) => each.filter(({ table }) => table.name === name);
  const rowsOf = (name: string) => of(done, name).flatMap(({ answer }) => answer);
  const names = Object.keys(requests);
  return {
    Responses: Object.fromEntries(names.map((name) => [name, rowsOf(name)])),
    UnprocessedKeys: Object.fromEntries(
      names
        .filter((name) => of(left, name).length > 0)
        .map((name) => [name, { ...requests[name], Keys: of(left, name).map(({ key }) => key) }]),
    ),
  };
}

function lookUp(table: Table, request: Gets[string]) {
  const placeholders = new Placeholders(request);
  const names = parseProjection(request.ProjectionExpression, placeholders);
  placeholders.assertAllUsed();
  return request.Keys.map((given) => {
    const key = table.keyFrom(given);
    const row = table.items(request.ConsistentRead).find(key);
    const answer = row === undefined ? [] : [names === undefined ? row : pickAttributes(row, names)];
    return { table, key, row, answer };
  });
}

function batchWrite(find: FindTable, requests: Writes, most: number) {
  const writes = Object.entries(requests).flatMap(([name, each]) =>
    each.map((request) => ({ request, ...writeOf(find, name, request) })),
  );
  assertBatch(writes, MOST_WRITES);
  const isLeft = writes.map(({ table, key }, i) => i >= most || table.isLocked(key));
  for (const { table, key, outcome } of writes.filter((_, i) => !isLeft[i])) {
    table.write(key, outcome(undefined));
  }
  const UnprocessedItems = Map.groupBy(
    writes.filter((_, i) => isLeft[i]),
    ({ table }) => table.name,
  );
  return {
    UnprocessedItems: Object.fromEntries(
      [...UnprocessedItems].map(([name, each]) => [name, each.map(({ request }) => request)]),
    ),
  };
}

function writeOf(find: FindTable, TableName: string, request: Writes[string][number]): Write {
  const input = { TableName, ReturnValuesOnConditionCheckFailure: 'NONE' } as const;
  if ('PutRequest' in request) return putWrite(find(TableName), { ...input, ...request.PutRequest });
  return deleteWrite(find(TableName), { ...input, ...request.DeleteRequest });
}

/** @throws ServiceError if there are no items, too many, or two equal ones */
function assertBatch(items: readonly { readonly table: Table; readonly key: Item }[], most: number): void {
  if (items.length === 0 || items.length > most) {
    throw invalid(`The batch has ${items.length} items, not 1 to ${most}`);
  }
  const ids = items.map(({ table, key }) => `${table.name} ${JSON.stringify(key)}`);
  if (new Set(ids).size < ids.length) throw invalid('Provided list of item keys contains duplicates');
}
