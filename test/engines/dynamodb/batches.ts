import * as v from 'valibot';
import { operation } from '../json-service.ts';
import { attributes } from './attributes.ts';
import { ValidationFailed } from './errors.ts';
import { Placeholders } from './expressions/placeholders.ts';
import { itemSize, LARGEST_BATCH } from './item-size.ts';
import { readItem } from './read-value.ts';
import { picking } from './reads.ts';
import type { Table } from './table.ts';
import type { Tables } from './tables.ts';
import type { Item } from './value.ts';
import { deleteWrite, putWrite, type Write } from './write.ts';

const MOST_GETS = 100;
const MOST_WRITES = 25;

const getSchema = v.strictObject({
  RequestItems: v.record(
    v.string(),
    v.strictObject({
      Keys: v.array(attributes),
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
      v.strictObject({
        PutRequest: v.optional(v.strictObject({ Item: attributes })),
        DeleteRequest: v.optional(v.strictObject({ Key: attributes })),
      }),
    ),
  ),
});

export const batches = (tables: Tables) => ({
  BatchGetItem: operation(getSchema, ({ RequestItems }, fault) =>
    batchGet(tables, RequestItems, fault === 'unprocessed' ? 1 : MOST_GETS),
  ),
  BatchWriteItem: operation(writeSchema, ({ RequestItems }, fault) =>
    batchWrite(tables, RequestItems, fault === 'unprocessed' ? 1 : MOST_WRITES),
  ),
});

type Gets = v.InferOutput<typeof getSchema>['RequestItems'];
type Writes = v.InferOutput<typeof writeSchema>['RequestItems'];

/** @param most how many keys are looked up; the rest stays unprocessed */
function batchGet(tables: Tables, requests: Gets, most: number) {
  const gets = Object.entries(requests).flatMap(([name, request]) => lookUp(tables.get(name), request));
  assertBatch(gets.map(idOf), MOST_GETS);
  const count = Math.min(most, countWithinAnswer(gets.map(({ row }) => row)));
  const [done, left] = [gets.slice(0, count), gets.slice(count)];
  const rowsOf = (name: string) =>
    done.filter(({ table }) => table.name === name).flatMap(({ answer }) => answer);
  const UnprocessedKeys = Object.fromEntries(
    Object.entries(requests).flatMap(([name, request]) => {
      const Keys = left.filter(({ table }) => table.name === name).map(({ key }) => key);
      return Keys.length === 0 ? [] : [[name, { ...request, Keys }]];
    }),
  );
  return {
    Responses: Object.fromEntries(Object.keys(requests).map((name) => [name, rowsOf(name)])),
    UnprocessedKeys,
  };
}

function lookUp(table: Table, request: Gets[string]) {
  const placeholders = new Placeholders(request);
  const pick = picking(request.ProjectionExpression, placeholders);
  placeholders.assertAllUsed();
  return request.Keys.map((given) => {
    const key = table.keyFrom(readItem(given));
    const row = table.items(request.ConsistentRead).find(key);
    return { table, key, row, answer: row === undefined ? [] : [pick(row)] };
  });
}

/** How many of the rows fit into one answer. */
function countWithinAnswer(rows: readonly (Item | undefined)[]): number {
  let size = 0;
  const over = rows.findIndex((row) => {
    size += row === undefined ? 0 : itemSize(row);
    return size > LARGEST_BATCH;
  });
  return over < 0 ? rows.length : over;
}

function batchWrite(tables: Tables, requests: Writes, most: number) {
  const writes = Object.entries(requests).flatMap(([name, each]) =>
    each.map((request) => ({ name, request, write: writeOf(tables, name, request) })),
  );
  assertBatch(
    writes.map(({ write }) => idOf(write)),
    MOST_WRITES,
  );
  const left = writes.filter(({ write: { table, key } }, i) => i >= most || table.isLocked(key));
  for (const { write } of writes.filter((each) => !left.includes(each))) {
    write.table.write(write.key, write.outcome(undefined));
  }
  const UnprocessedItems = Object.groupBy(left, ({ name }) => name);
  return {
    UnprocessedItems: Object.fromEntries(
      Object.entries(UnprocessedItems).map(([name, each = []]) => [name, each.map(({ request }) => request)]),
    ),
  };
}

const idOf = ({ table, key }: { readonly table: Table; readonly key: Item }) =>
  `${table.name} ${JSON.stringify(key)}`;

function writeOf(
  tables: Tables,
  TableName: string,
  { PutRequest, DeleteRequest }: Writes[string][number],
): Write {
  const request = { TableName, ReturnValuesOnConditionCheckFailure: 'NONE' } as const;
  if (PutRequest !== undefined && DeleteRequest === undefined) {
    return putWrite(tables.get(TableName), { ...request, ...PutRequest });
  }
  if (DeleteRequest !== undefined && PutRequest === undefined) {
    return deleteWrite(tables.get(TableName), { ...request, ...DeleteRequest });
  }
  throw new ValidationFailed(
    'Supplied write request must contain exactly one of PutRequest and DeleteRequest',
  );
}

/** @throws ValidationFailed if there are no ids, too many, or two equal ones */
function assertBatch(ids: readonly string[], most: number): void {
  if (ids.length === 0 || ids.length > most) {
    const bound = ids.length === 0 ? 'greater than or equal to 1' : `less than or equal to ${most}`;
    throw new ValidationFailed(
      `1 validation error detected: Value at 'requestItems' failed to satisfy constraint: Member must have length ${bound}`,
    );
  }
  if (new Set(ids).size < ids.length) {
    throw new ValidationFailed('Provided list of item keys contains duplicates');
  }
}
