import { ValidationFailed } from './errors.ts';
import { pickAttributes } from './expressions/projection.ts';
import { Follower } from './follower.ts';
import { itemSize, LARGEST_ITEM } from './item-size.ts';
import { checkIndexKeys, checkKey } from './keys.ts';
import { allNames, type KeyNames, keyNames, type TableSchema } from './schema.ts';
import { SortedItems } from './sorted-items.ts';
import type { Item } from './value.ts';
import { rowUnits } from './write-units.ts';

/** The delay until inconsistent reads and indexes see a change. */
export type Lag = () => number;

export interface TableSettings {
  readonly lag: Lag;
  readonly countsUnits: boolean;
}

export class Table {
  readonly name: string;
  readonly names: KeyNames;
  /** The attribute with the second after which a row may be deleted. */
  expiresBy: string | undefined;
  /** The write units of all writes so far, including indexes, if they are counted. */
  writeUnits = 0;
  readonly #schema: TableSchema;
  readonly #items: SortedItems;
  readonly #replica: Follower;
  readonly #indexes: ReadonlyMap<string, Follower>;
  readonly #inTransaction = new Set<string>();
  readonly #now: () => number;
  readonly #lag: Lag;
  readonly #countsUnits: boolean;

  constructor(schema: TableSchema, now: () => number, { lag, countsUnits }: TableSettings) {
    this.name = schema.TableName;
    this.names = keyNames(schema.KeySchema);
    this.#schema = schema;
    this.#items = new SortedItems(this.names);
    this.#replica = new Follower(new SortedItems(this.names));
    this.#indexes = new Map(
      schema.GlobalSecondaryIndexes.map((index) => [index.IndexName, this.#follow(index)]),
    );
    this.#now = now;
    this.#lag = lag;
    this.#countsUnits = countsUnits;
  }

  #follow({ KeySchema, Projection }: TableSchema['GlobalSecondaryIndexes'][number]): Follower {
    const names = keyNames(KeySchema);
    const items = new SortedItems(names, this.names);
    if (Projection.ProjectionType === 'ALL') return new Follower(items);
    const kept = [...allNames(names), ...allNames(this.names), ...Projection.NonKeyAttributes];
    return new Follower(items, (item) => pickAttributes(item, kept));
  }

  /** The rows, or an older state of them for an inconsistent read. */
  items(isConsistent: boolean): SortedItems {
    return isConsistent ? this.#items : this.#replica.itemsAt(this.#now());
  }

  /** @throws ValidationFailed */
  index(name: string): SortedItems {
    const index = this.#indexes.get(name);
    if (index === undefined)
      throw new ValidationFailed(`The table does not have the specified index: ${name}`);
    return index.itemsAt(this.#now());
  }

  /** @throws ValidationFailed if it is no key of this table */
  keyFrom(key: Item): Item {
    return checkKey(this.#schema, this.names, key);
  }

  /** The key of a whole row. @throws ValidationFailed */
  keyOf(item: Item): Item {
    return checkKey(this.#schema, this.names, pickAttributes(item, allNames(this.names)), item);
  }

  /** @throws ValidationFailed if the row cannot be stored */
  check(item: Item, tooLarge: string): void {
    checkIndexKeys(this.#schema, item);
    if (itemSize(item) > LARGEST_ITEM) throw new ValidationFailed(tooLarge);
  }

  /**
   * Puts or replaces a row, or deletes it if `after` is undefined.
   *
   * @param price of a write unit: two in a transaction
   */
  write(key: Item, after: Item | undefined, price = 1): void {
    const before = this.#items.find(key);
    if (this.#countsUnits) this.writeUnits += this.#unitsOf(before, after, price);
    if (after !== undefined) this.#items.put(after);
    else if (before !== undefined) this.#items.remove(before);
    const change = { at: this.#now() + this.#lag(), before, after };
    for (const follower of [this.#replica, ...this.#indexes.values()]) follower.follow(change);
  }

  #unitsOf(before: Item | undefined, after: Item | undefined, price: number): number {
    const inIndexes = [...this.#indexes.values()].map((index) => index.unitsOf(before, after));
    return price * rowUnits(before, after) + inIndexes.reduce((sum, units) => sum + units, 0);
  }

  lock(key: Item): void {
    this.#inTransaction.add(JSON.stringify(key));
  }

  unlock(key: Item): void {
    this.#inTransaction.delete(JSON.stringify(key));
  }

  isLocked(key: Item): boolean {
    return this.#inTransaction.has(JSON.stringify(key));
  }
}
