import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Scene } from './scene.ts';

export type Row = Readonly<Record<string, unknown>>;

/** @param onWrite gets the parts of a row's key, joined by `/`, and the row, after each write */
export function followTable(
  { world, cloud }: Pick<Scene, 'world' | 'cloud'>,
  path: string,
  onWrite: (id: string, row: Row | undefined) => void,
): void {
  const table = world.dynamodb.table(cloud.stage.name(path));
  const write = table.write.bind(table);
  table.write = (key, after, price) => {
    write(key, after, price);
    const id = Object.values(key).map((part) => String(Object.values(part)[0]));
    onWrite(id.join('/'), after === undefined ? undefined : unmarshall(Object(after)));
  };
}

/** A transaction writes all its rows before the next call, so a check then never sees half of one. */
export function beforeEachCall({ world: { journal } }: Pick<Scene, 'world'>, check: () => void): void {
  const note = journal.note.bind(journal);
  journal.note = (call) => {
    check();
    return note(call);
  };
}

/** When waiting rows are due, by the path of their table in the stack. */
export class DueRows {
  readonly #tables = new Map<string, Map<string, number>>();

  follow(table: string, id: string, row: Row | undefined): void {
    const due = this.#tables.get(table) ?? new Map<string, number>();
    this.#tables.set(table, due);
    if (row?.active === undefined) due.delete(id);
    else due.set(id, typeof row.due_at === 'number' ? row.due_at : Number.POSITIVE_INFINITY);
  }

  /** Those of a table that wait, and until when. */
  of(table: string): [id: string, due: number][] {
    return [...(this.#tables.get(table) ?? [])];
  }
}
