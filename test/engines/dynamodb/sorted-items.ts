import { hash } from 'node:crypto';
import { compareValues, type Item, pickAttributes, type Value } from './value.ts';

/** The attributes that identify a row, or order it in an index. */
export interface KeyNames {
  readonly hash: string;
  readonly range: string | undefined;
}

export const allNames = ({ hash, range }: KeyNames): string[] =>
  range === undefined ? [hash] : [hash, range];

/** Items in partitions, ordered by range key and, if that is equal, by the table's own key. */
export class SortedItems {
  readonly names: KeyNames;
  readonly #order: readonly string[];
  readonly #partitions = new Map<string, Item[]>();
  /** A cache, because a scan compares each partition many times. */
  readonly #digests = new Map<string, Buffer>();

  /** @param tableKey orders items with equal keys in an index */
  constructor(names: KeyNames, tableKey: KeyNames = names) {
    this.names = names;
    this.#order = [...new Set([...allNames(names), ...allNames(tableKey)])];
  }

  /** Whether an item has all key attributes of this index. An item without them is not in it. */
  takes = (item: Item): boolean => allNames(this.names).every((name) => item[name] !== undefined);

  /** The key of an item here: of an index, with the table's own key. */
  keyOf = (item: Item): Item => pickAttributes(item, this.#order);

  isKey(key: Item): boolean {
    const names = Object.keys(this.keyOf(key));
    return names.length === this.#order.length && names.length === Object.keys(key).length;
  }

  partition(hash: Value): readonly Item[] {
    return this.#partitions.get(partitionId(hash)) ?? [];
  }

  /** All items. The order of partitions is arbitrary but fixed. */
  all(): readonly Item[] {
    const ids = [...this.#partitions.keys()].sort((a, b) => Buffer.compare(this.#digest(a), this.#digest(b)));
    return ids.flatMap((id) => this.#partitions.get(id) ?? []);
  }

  find(key: Item): Item | undefined {
    const { partition, place, isThere } = this.#look(key);
    return isThere ? partition[place] : undefined;
  }

  put(item: Item): void {
    const { id, partition, place, isThere } = this.#look(item);
    this.#partitions.set(id, partition.toSpliced(place, isThere ? 1 : 0, item));
  }

  remove(item: Item): void {
    const { id, partition, place, isThere } = this.#look(item);
    if (!isThere) return;
    if (partition.length === 1) this.#partitions.delete(id);
    else this.#partitions.set(id, partition.toSpliced(place, 1));
  }

  /** Negative if the first item comes before the second in a scan. */
  readonly compare = (a: Item, b: Item): number => {
    const [one, other] = [this.#idOf(a), this.#idOf(b)];
    if (one !== other) return Buffer.compare(this.#digest(one), this.#digest(other));
    return this.#compareWithin(a, b);
  };

  #compareWithin(a: Item, b: Item): number {
    for (const name of this.#order) {
      const [one, other] = [a[name], b[name]];
      const order = one === undefined || other === undefined ? 0 : (compareValues(one, other) ?? 0);
      if (order !== 0) return order;
    }
    return 0;
  }

  #look(key: Item) {
    const id = this.#idOf(key);
    const partition = this.#partitions.get(id) ?? [];
    let [low, high] = [0, partition.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const item = partition[middle];
      if (item !== undefined && this.#compareWithin(item, key) < 0) low = middle + 1;
      else high = middle;
    }
    const found = partition[low];
    const isThere = found !== undefined && this.#compareWithin(found, key) === 0;
    return { id, partition, place: low, isThere };
  }

  #digest(id: string): Buffer {
    const digest = this.#digests.get(id) ?? hash('md5', id, 'buffer');
    this.#digests.set(id, digest);
    return digest;
  }

  #idOf(item: Item): string {
    const hash = item[this.names.hash];
    return hash === undefined ? '' : partitionId(hash);
  }
}

const partitionId = (hash: Value): string => JSON.stringify(hash);

interface Change {
  readonly at: number;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/**
 * A copy of a table's rows that changes reach with a delay: an index, or the replica for reads without
 * `ConsistentRead`.
 */
export class Follower {
  readonly #items: SortedItems;
  readonly #projection: (item: Item) => Item;
  readonly #changes: Change[] = [];

  constructor(items: SortedItems, projection: (item: Item) => Item = (item) => item) {
    this.#items = items;
    this.#projection = projection;
  }

  /** Queues a change. Changes keep their order, whatever their delays. */
  follow(change: Change): void {
    const last = this.#changes.at(-1)?.at ?? 0;
    this.#changes.push({ ...change, at: Math.max(change.at, last) });
  }

  /** What a row is in this copy, if it is in it. */
  entryOf(item: Item | undefined): Item | undefined {
    return item !== undefined && this.#items.takes(item) ? this.#projection(item) : undefined;
  }

  /** Whether two states of one row have different places in this copy. */
  isMoved = (before: Item, after: Item): boolean => this.#items.compare(before, after) !== 0;

  /** The copy's rows at this time. */
  itemsAt(now: number): SortedItems {
    while (this.#changes[0] !== undefined && this.#changes[0].at <= now) {
      const { before, after } = this.#changes.shift() ?? {};
      const [old, entry] = [this.entryOf(before), this.entryOf(after)];
      if (old !== undefined) this.#items.remove(old);
      if (entry !== undefined) this.#items.put(entry);
    }
    return this.#items;
  }
}
