import type { ListStore, PageAsked } from './list-store.ts';

export interface Entry {
  readonly place: string;
  readonly kind: string;
}

/** A list, and where its rows are. */
export interface Listed<Row> {
  readonly list: string;
  /** Its rows in its order, from an index, which may be a moment late. */
  all(): AsyncIterable<Row>;
  /** The rows with these ids that there are now, in no order. */
  read(ids: readonly string[]): Promise<readonly Row[]>;
  idOf(row: Row): string;
  entryOf(row: Row): Entry;
}

export interface ListPage<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

/** A part of a list. Until the first change of a list that is older than this way of reading it, all of it is read. */
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
