import { hash } from 'node:crypto';
import { compareValues } from './compare-values.ts';
import { allNames, type KeyNames } from './schema.ts';
import type { Item, Value } from './value.ts';

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
    return {
      id,
      partition,
      place: low,
      isThere: found !== undefined && this.#compareWithin(found, key) === 0,
    };
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
