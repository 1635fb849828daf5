import * as v from 'valibot';
import type { Fault } from '../faults.ts';
import { operation } from '../json-service.ts';
import { ItemInTransaction } from './errors.ts';
import { oldValuesSchema, returnedAttributes, returnValuesSchema } from './return-values.ts';
import type { Tables } from './tables.ts';
import {
  deleteEntries,
  deleteWrite,
  putEntries,
  putWrite,
  updateEntries,
  updateWrite,
  type Write,
} from './write.ts';

const putSchema = v.strictObject({ ...putEntries, ReturnValues: oldValuesSchema });
const deleteSchema = v.strictObject({ ...deleteEntries, ReturnValues: oldValuesSchema });
const updateSchema = v.strictObject({ ...updateEntries, ReturnValues: returnValuesSchema });

export const singleWrites = (tables: Tables) => ({
  PutItem: operation(putSchema, (input, fault) =>
    perform(putWrite(tables.get(input.TableName), input), input.ReturnValues, fault),
  ),
  DeleteItem: operation(deleteSchema, (input, fault) =>
    perform(deleteWrite(tables.get(input.TableName), input), input.ReturnValues, fault),
  ),
  UpdateItem: operation(updateSchema, (input, fault) =>
    perform(updateWrite(tables.get(input.TableName), input), input.ReturnValues, fault),
  ),
});

function perform(
  { table, key, outcome, paths }: Write,
  wanted: v.InferOutput<typeof returnValuesSchema>,
  fault: Fault | undefined,
) {
  if (fault === 'conflict' || table.isLocked(key)) throw new ItemInTransaction();
  const before = table.items(true).find(key);
  const after = outcome(before);
  table.write(key, after);
  return returnedAttributes(wanted, { before, after, paths });
}
