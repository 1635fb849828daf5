import type { ListStore, PageAsked } from './list-store.ts';

export interface Entry {
  readonly place: string;
  readonly kind: string;
}

/** A list, and how to read its rows. */
export interface Listed<Row> {
  readonly list: string;
  /** All rows in the order of the list, from an index, which may lag a moment behind. */
  all(): AsyncIterable<Row>;
  /** Those rows with these ids that exist now, in no order. */
  read(ids: readonly string[]): Promise<readonly Row[]>;
  idOf(row: Row): string;
  entryOf(row: Row): Entry;
}

export interface ListPage<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

/** Reads a page of a list. A list that is older than the store is read as a whole until its first change. */
export async function readList<Row>(
  lists: Pick<ListStore, 'page'>,
  listed: Listed<Row>,
  asked: PageAsked,
): Promise<ListPage<Row>> {
  const page = await lists.page(listed.list, asked);
  if (page === undefined) return readAll(listed, asked);
  const found = await listed.read(page.ids);
  const byId = new Map(found.map((row) => [listed.idOf(row), row]));
  return { rows: page.ids.flatMap((id) => byId.get(id) ?? []), total: page.total };
}

async function readAll<Row>(
  listed: Listed<Row>,
  { offset, limit, kinds }: PageAsked,
): Promise<ListPage<Row>> {
  const all = await Array.fromAsync(listed.all());
  const wanted = all.filter((row) => kinds === undefined || kinds.includes(listed.entryOf(row).kind));
  return { rows: wanted.slice(offset, offset + limit), total: wanted.length };
}
