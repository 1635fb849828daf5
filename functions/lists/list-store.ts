import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type NamedItems, refusedBy, type TransactItem, transact } from '../aws/dynamo-writes.ts';
import { jitteredPause } from '../aws/jittered-pause.ts';
import { retryOnConflict } from '../aws/retry.ts';
import {
  affected,
  type Change,
  cut,
  type Entries,
  idAt,
  isLast,
  placesIn,
  sizeOf,
  split,
  toBlock,
  withChange,
} from './blocks.ts';
import { type Leaf, ListRows, leafKey, type Root, rootSchema } from './list-rows.ts';

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

/**
 * Lists change only as often as people manage things. An attempt fails when another change of the same list came first.
 */
const ATTEMPTS = 25;
const READ_ATTEMPTS = 8;
const LONGEST_PAUSE_MILLISECONDS = 200;
const ROWS_A_BATCH = 100;
const ROWS_A_TRANSACTION = 100;

export interface ListChange extends Change {
  readonly listed: Listed<unknown>;
}

export interface PageAsked {
  readonly offset: number;
  /** 100 at most. */
  readonly limit: number;
  /** @default all */
  readonly kinds?: readonly string[] | undefined;
}

export interface WholeList extends Root {
  readonly entries: Entries;
}

interface PlaceOfChange {
  readonly change: Change;
  readonly list: string;
  readonly root: Root;
  /** The blocks that are rewritten. */
  readonly from: number;
  readonly to: number;
}

/**
 * Keeps which rows a list has, in order, so that any page of it is found in three reads. A list changes in the same
 * transaction as the rows that it lists.
 */
export class ListStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #rows: ListRows;
  readonly #newId: () => string;

  constructor(client: DynamoDBDocumentClient, table: string, newId: () => string) {
    this.#client = client;
    this.#rows = new ListRows(client, table);
    this.#newId = newId;
  }

  /** The ids of a page, and how many there are in all; undefined where the list does not exist yet. */
  async page(list: string, asked: PageAsked): Promise<{ ids: string[]; total: number } | undefined> {
    const look = async () => {
      const root = (await this.#rows.roots([list])).get(list);
      if (root === undefined) return { page: undefined };
      const { blocks, skip } = cut(root.blocks, asked);
      const leaves = await this.#rows.leaves(blocks.map(({ id }) => leafKey(list, id)));
      const places = blocks.flatMap(({ id }) => {
        const leaf = leaves.get(leafKey(list, id));
        // A leaf that was written after the root was read belongs to other blocks.
        return leaf === undefined || leaf.version > root.version ? [] : [placesIn(leaf.entries, asked.kinds)];
      });
      if (places.length < blocks.length) return undefined;
      const total = root.blocks.reduce((sum, block) => sum + sizeOf(block, asked.kinds), 0);
      const wanted = places.flat().slice(skip, skip + asked.limit);
      return { page: { ids: wanted.map(idAt), total } };
    };
    const exhausted = () => new Error(`the list ${list} changed during each of ${READ_ATTEMPTS} reads`);
    return (await retryOnConflict(READ_ATTEMPTS, look, exhausted)).page;
  }

  /**
   * Writes items together with their changes of lists, one entry for each list.
   * @throws TransactionRefused when a condition of an item does not hold
   */
  async write(items: NamedItems, changes: readonly ListChange[]): Promise<void> {
    const attempt = async () => {
      const lists = await this.#changesOf(changes);
      try {
        await transact(this.#client, { ...items, lists });
        return true;
      } catch (error) {
        if (!refusedBy(error, 'lists') || refusedBy(error, ...Object.keys(items))) throw error;
        await jitteredPause(LONGEST_PAUSE_MILLISECONDS);
        return undefined;
      }
    };
    await retryOnConflict(
      ATTEMPTS,
      attempt,
      () => new Error(`the lists changed during each of ${ATTEMPTS} attempts to write them`),
    );
  }

  async #changesOf(changes: readonly ListChange[]): Promise<TransactItem[]> {
    const roots = await this.#rows.roots(changes.map(({ listed }) => listed.list));
    const begun = changes.map(async (change) => {
      const root = roots.get(change.listed.list) ?? (await this.#begin(change.listed));
      return { change, list: change.listed.list, root, ...affected(root.blocks, change) };
    });
    const places = await Promise.all(begun);
    const leaves = await this.#rows.leaves(
      places.flatMap(({ list, root, from, to }) =>
        root.blocks.slice(from, to).map(({ id }) => leafKey(list, id)),
      ),
    );
    return places.flatMap((place) => this.#changed(place, leaves));
  }

  #changed(
    { change, list, root, from, to }: PlaceOfChange,
    leaves: ReadonlyMap<string, Leaf>,
  ): TransactItem[] {
    const old = root.blocks.slice(from, to);
    const before: Entries = Object.assign(
      {},
      ...old.map(({ id }) => leaves.get(leafKey(list, id))?.entries ?? {}),
    );
    const after = withChange(before, change);
    const isAtEnd = to === root.blocks.length && isLast(after, change.place);
    const parts = split(after, isAtEnd).map((entries, part) => ({
      id: old[part]?.id ?? this.#newId(),
      entries,
    }));
    const version = root.version + 1;
    const blocks = root.blocks.toSpliced(from, to - from, ...parts.map(toBlock));
    return [
      { Put: this.#rows.rootPut({ list, version, blocks }) },
      ...parts.map(({ id, entries }) => ({ Put: this.#rows.leafPut(list, id, { version, entries }) })),
      ...old.slice(parts.length).map(({ id }) => this.#rows.leafDelete(list, id)),
    ];
  }

  /**
   * Builds a list that is older than this store from all of its rows, at its first change. From then on every change
   * goes into the list.
   */
  async #begin(listed: Listed<unknown>): Promise<Root> {
    const { list } = listed;
    const rows = await Array.fromAsync(listed.all());
    const entries = Object.fromEntries(rows.map(listed.entryOf).map(({ place, kind }) => [place, kind]));
    const parts = split(entries, true).map((part) => ({ id: this.#newId(), entries: part }));
    if (parts.length === 0) return { list, version: 0, blocks: [] };
    const root = { list, version: 1, blocks: parts.map(toBlock) };
    const puts = parts.map((part) =>
      this.#rows.leafPut(list, part.id, { version: 1, entries: part.entries }),
    );
    await Promise.all(puts.map((put) => this.#client.send(new PutCommand(put))));
    try {
      await transact(this.#client, { list: { Put: this.#rows.rootPut(root) } });
      return root;
    } catch (error) {
      if (!refusedBy(error, 'list')) throw error;
      // Somebody else has built it meanwhile.
      return (await this.#rows.roots([list])).get(list) ?? root;
    }
  }

  /** A whole list, given its root as it was read; undefined where it has changed since, or is not a list. */
  async whole(row: Readonly<Record<string, unknown>>): Promise<WholeList | undefined> {
    const read = v.safeParse(rootSchema, row);
    if (!read.success) return undefined;
    const { list, version, blocks } = read.output;
    const entries: Record<string, string> = {};
    for (let i = 0; i < blocks.length; i += ROWS_A_BATCH) {
      const keys = blocks.slice(i, i + ROWS_A_BATCH).map(({ id }) => leafKey(list, id));
      const leaves = [...(await this.#rows.leaves(keys)).values()];
      if (leaves.some((leaf) => leaf.version > version)) return undefined;
      Object.assign(entries, ...leaves.map((leaf) => leaf.entries));
    }
    return { list, version, blocks, entries };
  }

  /** Removes a list, if it has not changed since it was read. Its next change builds it anew from the rows. */
  ending({ list, version, blocks }: WholeList): NamedItems {
    const leaves = blocks.slice(0, ROWS_A_TRANSACTION - 1).map(({ id }) => this.#rows.leafDelete(list, id));
    return { list: this.#rows.rootDelete(list, version), blocks: leaves };
  }
}
