import * as v from 'valibot';
import type { Call } from '../../test/engines/index.ts';

/** A row that many jobs write. `row` is its table and key. */
export interface HotRow {
  readonly row: string;
  /** Write units for each job; a write in a transaction counts twice. */
  readonly units: number;
  readonly transactions: number;
}

const keySchema = v.record(v.string(), v.looseObject({ S: v.optional(v.string()) }));
const updateSchema = v.object({ TableName: v.string(), Key: keySchema });
const transactionSchema = v.object({
  TransactItems: v.array(v.object({ Update: v.optional(updateSchema) })),
});

/** Finds the rows that jobs share: those that are written at least once for each job. */
export function hotRows(calls: readonly Call[], jobs: number): HotRow[] {
  const rows = new Map<string, { units: number; transactions: number }>();
  const note = (update: v.InferOutput<typeof updateSchema>, inTransaction: boolean) => {
    const row = `${update.TableName} ${Object.values(update.Key).map(({ S = '' }) => S)}`;
    const noted = rows.get(row) ?? { units: 0, transactions: 0 };
    noted.units += inTransaction ? 2 : 1;
    noted.transactions += inTransaction ? 1 : 0;
    rows.set(row, noted);
  };
  for (const { operation, input } of calls) {
    if (operation === 'UpdateItem') note(v.parse(updateSchema, input), false);
    if (operation !== 'TransactWriteItems') continue;
    for (const { Update } of v.parse(transactionSchema, input).TransactItems)
      if (Update !== undefined) note(Update, true);
  }
  return [...rows]
    .filter(([row, { units }]) => units >= jobs && !row.startsWith('Videos-Jobs'))
    .map(([row, { units, transactions }]) => ({
      row,
      units: units / jobs,
      transactions: transactions / jobs,
    }));
}
