import * as v from 'valibot';
import type { VirtualClock } from '../clock.ts';
import { operation } from '../json-service.ts';
import { ValidationFailed } from './errors.ts';
import type { Tables } from './tables.ts';
import { CONFLICT, runTransaction, TransactionCanceled } from './transaction.ts';
import { TransactionTokens } from './transaction-tokens.ts';
import {
  checkEntries,
  checkWrite,
  deleteEntries,
  deleteWrite,
  putEntries,
  putWrite,
  updateEntries,
  updateWrite,
  type Write,
} from './write.ts';

const itemSchema = v.strictObject({
  Put: v.optional(v.strictObject(putEntries)),
  Delete: v.optional(v.strictObject(deleteEntries)),
  Update: v.optional(v.strictObject(updateEntries)),
  ConditionCheck: v.optional(v.strictObject(checkEntries)),
});
const transactSchema = v.strictObject({
  TransactItems: v.array(itemSchema),
  ClientRequestToken: v.optional(v.string()),
});

/** @param milliseconds how long a transaction holds its items */
export function transactWrite(tables: Tables, clock: VirtualClock, milliseconds: number) {
  const tokens = new TransactionTokens(() => clock.now().getTime());
  return {
    TransactWriteItems: operation(transactSchema, async ({ TransactItems, ClientRequestToken }, fault) => {
      if (fault === 'conflict') throw new TransactionCanceled(TransactItems.map(() => CONFLICT));
      await tokens.once(ClientRequestToken, TransactItems, () =>
        runTransaction(
          TransactItems.map((item) => writeOf(tables, item)),
          () => clock.wait(milliseconds),
        ),
      );
      return {};
    }),
  };
}

function writeOf(
  tables: Tables,
  { Put, Delete, Update, ConditionCheck }: v.InferOutput<typeof itemSchema>,
): Write {
  const [write, another] = [
    Put && putWrite(tables.get(Put.TableName), Put),
    Delete && deleteWrite(tables.get(Delete.TableName), Delete),
    Update && updateWrite(tables.get(Update.TableName), Update),
    ConditionCheck && checkWrite(tables.get(ConditionCheck.TableName), ConditionCheck),
  ].filter((each) => each !== undefined);
  if (write !== undefined && another === undefined) return write;
  throw new ValidationFailed('TransactItems can only contain one of Check, Put, Update or Delete');
}
