import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { keysToRemove, type Row, rowsToPut, type Tables } from './compare-tables.ts';

export interface RestoreOptions {
  /** Partition keys of those that are looked at. @default all are */
  readonly only: readonly string[] | undefined;
  /** @default they are counted alone */
  readonly writes: boolean;
  /** Whether rows go that came after the moment which was restored. */
  readonly removesLater: boolean;
}

export interface Restored {
  /** They were gone. */
  readonly missing: number;
  /** They were another. */
  readonly different: number;
  /** They came later. */
  readonly later: number;
}

/** Makes rows what they are in a restored table. Doing it again does nothing more. */
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
