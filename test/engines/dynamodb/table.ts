import * as v from 'valibot';
import { allNames, Follower, type KeyNames, SortedItems } from './sorted-items.ts';
import { areEqualItems, type Item, invalid, itemSize, pickAttributes, typeOf, type Value } from './value.ts';

const keySchemaSchema = v.pipe(
  v.array(v.strictObject({ AttributeName: v.string(), KeyType: v.picklist(['HASH', 'RANGE']) })),
  v.minLength(1),
  v.maxLength(2),
);

const indexSchema = v.strictObject({
  IndexName: v.string(),
  KeySchema: keySchemaSchema,
  Projection: v.strictObject({
    ProjectionType: v.picklist(['ALL', 'KEYS_ONLY', 'INCLUDE']),
    NonKeyAttributes: v.optional(v.array(v.string()), []),
  }),
});

/** A table, as in CreateTable. */
export const tableSchema = v.strictObject({
  TableName: v.string(),
  KeySchema: keySchemaSchema,
  AttributeDefinitions: v.array(
    v.strictObject({ AttributeName: v.string(), AttributeType: v.picklist(['S', 'N']) }),
  ),
  GlobalSecondaryIndexes: v.optional(v.array(indexSchema), []),
  BillingMode: v.optional(v.literal('PAY_PER_REQUEST')),
});
type TableSchema = v.InferOutput<typeof tableSchema>;

function keyNames(schema: TableSchema['KeySchema']): KeyNames {
  const nameOf = (type: string) => schema.find(({ KeyType }) => KeyType === type)?.AttributeName;
  const hash = nameOf('HASH');
  if (hash === undefined) throw new Error('a key schema without a HASH key');
  return { hash, range: nameOf('RANGE') };
}

export interface TableSettings {
  readonly now: () => number;
  /** By how many milliseconds indexes and inconsistent reads lag behind. @default none */
  readonly lag?: ((of: 'reads' | 'indexes') => number) | undefined;
  /** Whether to count the write units that AWS would bill. @default true */
  readonly countsUnits?: boolean | undefined;
}

const LARGEST_ITEM = 400 * 1024;
const LONGEST_HASH = 2048;
const LONGEST_RANGE = 1024;

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
  readonly #settings: TableSettings;

  constructor(schema: TableSchema, settings: TableSettings) {
    this.name = schema.TableName;
    this.names = keyNames(schema.KeySchema);
    this.#schema = schema;
    this.#items = new SortedItems(this.names);
    this.#replica = new Follower(new SortedItems(this.names));
    this.#indexes = new Map(
      schema.GlobalSecondaryIndexes.map((index) => [index.IndexName, this.#follow(index)]),
    );
    this.#settings = settings;
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
    return isConsistent ? this.#items : this.#replica.itemsAt(this.#settings.now());
  }

  /** @throws ServiceError */
  index(name: string): SortedItems {
    const index = this.#indexes.get(name);
    if (index === undefined) throw invalid(`The table does not have the specified index: ${name}`);
    return index.itemsAt(this.#settings.now());
  }

  /** The key, in the schema's order, so that equal keys have equal JSON. @throws ServiceError if it is none */
  keyFrom(key: Item): Item {
    const wanted = allNames(this.names);
    const isKey = ([name, value]: [string, Value]) =>
      wanted.includes(name) && this.#typeOf(name) === typeOf(value);
    if (Object.keys(key).length !== wanted.length || !Object.entries(key).every(isKey)) {
      throw invalid('The provided key element does not match the schema');
    }
    for (const name of wanted) assertLength(name, key[name], name === this.names.hash);
    return pickAttributes(key, wanted);
  }

  /** The key of a whole row. @throws ServiceError */
  keyOf(item: Item): Item {
    for (const name of allNames(this.names)) {
      if (item[name] === undefined) throw notValid(`Missing the key ${name} in the item`);
      this.#assertType(item, name, ['for key', 'expected', 'actual']);
    }
    return this.keyFrom(pickAttributes(item, allNames(this.names)));
  }

  #typeOf = (attribute: string) =>
    this.#schema.AttributeDefinitions.find(({ AttributeName }) => AttributeName === attribute)?.AttributeType;

  #assertType(item: Item, name: string, [what, expected, actual]: readonly [string, string, string]): void {
    const [value, type] = [item[name], this.#typeOf(name)];
    if (value === undefined || typeOf(value) === type) return;
    throw notValid(`Type mismatch ${what} ${name} ${expected}: ${type} ${actual}: ${typeOf(value)}`);
  }

  /** @throws ServiceError if the row cannot be stored */
  check(item: Item, tooLarge: string): void {
    for (const { KeySchema } of this.#schema.GlobalSecondaryIndexes) {
      for (const { AttributeName: name, KeyType } of KeySchema) {
        this.#assertType(item, name, ['for Index Key', 'Expected', 'Actual']);
        assertLength(name, item[name], KeyType === 'HASH');
      }
    }
    if (itemSize(item) > LARGEST_ITEM) throw invalid(tooLarge);
  }

  /**
   * Puts or replaces a row, or deletes it if `after` is undefined.
   *
   * @param price of a write unit: two in a transaction
   */
  write(key: Item, after: Item | undefined, price = 1): void {
    const { now, lag = () => 0, countsUnits = true } = this.#settings;
    const before = this.#items.find(key);
    if (countsUnits) this.writeUnits += this.#unitsOf(before, after, price);
    if (after !== undefined) this.#items.put(after);
    else if (before !== undefined) this.#items.remove(before);
    this.#replica.follow({ at: now() + lag('reads'), before, after });
    if (this.#indexes.size === 0) return;
    const change = { at: now() + lag('indexes'), before, after };
    for (const index of this.#indexes.values()) index.follow(change);
  }

  /** The larger size of before and after counts, and each change of an index. */
  #unitsOf(before: Item | undefined, after: Item | undefined, price: number): number {
    const inIndexes = [...this.#indexes.values()].map((index) => unitsIn(index, before, after));
    return inIndexes.reduce(
      (sum, units) => sum + units,
      price * Math.max(1, unitsOf(before), unitsOf(after)),
    );
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

const notValid = (problem: string) => invalid(`One or more parameter values were invalid: ${problem}`);

function assertLength(name: string, value: Value | undefined, isHash: boolean): void {
  if (value === undefined || !('S' in value)) return;
  const length = Buffer.byteLength(value.S);
  if (length === 0) {
    throw invalid(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`,
    );
  }
  const longest = isHash ? LONGEST_HASH : LONGEST_RANGE;
  if (length <= longest) return;
  throw notValid(
    `Size of ${isHash ? 'hashkey' : 'rangekey'} has exceeded the maximum size limit of${longest} bytes`,
  );
}

const unitsOf = (item: Item | undefined) => (item === undefined ? 0 : Math.ceil(itemSize(item) / 1024));

/**
 * The cost in an index, by its entries before and after the write ("Global secondary indexes", write capacity). An
 * unchanged entry costs nothing. If only attributes outside the key change, one write is counted. If the key changes, a
 * deletion and a write are counted.
 */
function unitsIn(index: Follower, before: Item | undefined, after: Item | undefined): number {
  const [old, entry] = [index.entryOf(before), index.entryOf(after)];
  if (old === undefined || entry === undefined) return unitsOf(old) + unitsOf(entry);
  if (areEqualItems(old, entry)) return 0;
  return index.isMoved(old, entry) ? unitsOf(old) + unitsOf(entry) : Math.max(unitsOf(old), unitsOf(entry));
}
