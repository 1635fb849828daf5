import { areEqualItems } from './compare-values.ts';
import { itemSize } from './item-size.ts';
import type { Item } from './value.ts';

const KIBIBYTE = 1024;

/** The cost of writing a row: the larger size of before and after counts. */
export const rowUnits = (before: Item | undefined, after: Item | undefined): number =>
  Math.max(1, unitsOf(before), unitsOf(after));

/**
 * The cost in an index, by its entries before and after the write ("Global secondary indexes", write capacity). An
 * unchanged entry costs nothing. If only attributes outside the key change, one write is counted. If the key changes, a
 * deletion and a write are counted.
 */
export function indexUnits(
  before: Item | undefined,
  after: Item | undefined,
  placeOf: (item: Item) => Item,
): number {
  if (before === undefined || after === undefined) return unitsOf(before) + unitsOf(after);
  if (areEqualItems(before, after)) return 0;
  const stays = areEqualItems(placeOf(before), placeOf(after));
  return stays ? rowUnits(before, after) : unitsOf(before) + unitsOf(after);
}

const unitsOf = (item: Item | undefined) => (item === undefined ? 0 : Math.ceil(itemSize(item) / KIBIBYTE));
