import { pickAttributes } from './expressions/projection.ts';
import { allNames } from './schema.ts';
import type { SortedItems } from './sorted-items.ts';
import type { Item } from './value.ts';
import { indexUnits } from './write-units.ts';

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

  /** The cost of a change here, in write units. */
  unitsOf(before: Item | undefined, after: Item | undefined): number {
    const entry = (item: Item | undefined) =>
      item !== undefined && this.#items.takes(item) ? this.#projection(item) : undefined;
    const place = allNames(this.#items.names);
    return indexUnits(entry(before), entry(after), (item) => pickAttributes(item, place));
  }

  /** The copy's rows at this time. */
  itemsAt(now: number): SortedItems {
    while (this.#changes[0] !== undefined && this.#changes[0].at <= now) {
      const change = this.#changes.shift();
      if (change !== undefined) this.#apply(change);
    }
    return this.#items;
  }

  #apply({ before, after }: Change): void {
    if (before !== undefined && this.#items.takes(before)) this.#items.remove(before);
    if (after !== undefined && this.#items.takes(after)) this.#items.put(this.#projection(after));
  }
}
