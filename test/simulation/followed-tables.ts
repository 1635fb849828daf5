import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { AwsWorld } from '../engines/index.ts';

export type Row = Readonly<Record<string, unknown>>;

/** @param onWrite gets the parts of a row's key, joined by `/`, and the row, after each write */
export function followTable(
  world: AwsWorld,
  name: string,
  onWrite: (id: string, row: Row | undefined) => void,
): void {
  const table = world.dynamodb.table(name);
  const write = table.write.bind(table);
  table.write = (key, after, price) => {
    write(key, after, price);
    const id = Object.values(key).map((part) => String(Object.values(part)[0]));
    onWrite(id.join('/'), after === undefined ? undefined : unmarshall(Object(after)));
  };
}

/** A transaction writes all its rows before the next call, so a check then never sees half of one. */
export function beforeEachCall({ journal }: AwsWorld, check: () => void): void {
  const note = journal.note.bind(journal);
  journal.note = (call) => {
    check();
    return note(call);
  };
}

/** When waiting rows are due, by table. */
export class DueRows {
  readonly #tables = new Map<string, Map<string, number>>();

  follow(table: string, id: string, row: Row | undefined): void {
    const due = this.#tables.get(table) ?? new Map<string, number>();
    this.#tables.set(table, due);
    if (row?.active === undefined) due.delete(id);
    else due.set(id, typeof row.due_at === 'number' ? row.due_at : Number.POSITIVE_INFINITY);
  }

  isAnyBefore(table: string, moment: number): boolean {
    return this.of(table).some(([, due]) => due < moment);
  }

  /** Those of a table that wait, and until when. */
  of(table: string): [id: string, due: number][] {
    return [...(this.#tables.get(table) ?? [])];
  }
}
