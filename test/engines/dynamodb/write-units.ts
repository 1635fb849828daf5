import { areEqualItems } from './compare-values.ts';
import { itemSize } from './item-size.ts';
import type { Item } from './value.ts';

const KIBIBYTE = 1024;

/** What one write of a row costs: by the larger of what was there and what is there then. */
export const rowUnits = (before: Item | undefined, after: Item | undefined): number =>
  Math.max(1, unitsOf(before), unitsOf(after));

/**
 * What it costs in an index, given the entries that it has and is to have: nothing where the entry stays as it is,
 * one write where only other attributes than its place change, a deletion and a write where it moves
 * ("Global secondary indexes", write capacity).
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
