import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { keysToRemove, type Row, rowsToPut, type Tables } from './compare-tables.ts';

export interface RestoreOptions {
  /** Only rows with these partition keys. @default all rows */
  readonly only: readonly string[] | undefined;
  /** Whether to write the rows; otherwise they are only counted. */
  readonly writes: boolean;
  /** Whether to remove rows that are newer than the restored table. */
  readonly removesLater: boolean;
}

export interface Restored {
  /** How many rows were missing. */
  readonly missing: number;
  /** How many rows were different. */
  readonly different: number;
  /** How many rows are newer. */
  readonly later: number;
}

/** Writes rows as they are in a restored table. A second run changes nothing more. */
export async function restoreRows(tables: Tables, options: RestoreOptions): Promise<Restored> {
  const { client, current, keys } = tables;
  const [partition = ''] = keys;
  const isMeant = (row: Row) => options.only?.includes(String(row[partition])) ?? true;
  let [missing, different, later] = [0, 0, 0];
  for await (const { row, other } of rowsToPut(tables)) {
    if (!isMeant(row)) continue;
    if (other === undefined) missing += 1;
    else different += 1;
    if (options.writes) await client.send(new PutCommand({ TableName: current, Item: row }));
  }
  for await (const Key of keysToRemove(tables)) {
    if (!isMeant(Key)) continue;
    later += 1;
    if (options.writes && options.removesLater)
      await client.send(new DeleteCommand({ TableName: current, Key }));
  }
  return { missing, different, later };
}
