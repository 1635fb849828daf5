import { itemSize, LARGEST_PAGE } from './item-size.ts';
import type { Item } from './value.ts';

export interface PageLimits {
  readonly limit: number | undefined;
  readonly filter: (item: Item) => boolean;
  readonly keyOf: (item: Item) => Item;
}

/** The first items, up to the limit or 1 MB. The filter is applied afterwards, so a page may be empty. */
export function takePage(candidates: readonly Item[], { limit, filter, keyOf }: PageLimits) {
  const scanned = candidates.slice(0, Math.min(limit ?? Number.POSITIVE_INFINITY, countWithin(candidates)));
  const isLast = scanned.length === candidates.length && scanned.length !== limit;
  const last = scanned.at(-1);
  const Items = scanned.filter(filter);
  return {
    Items,
    Count: Items.length,
    ScannedCount: scanned.length,
    ...(isLast || last === undefined ? {} : { LastEvaluatedKey: keyOf(last) }),
  };
}

/** Returns at least 1, because an item is smaller than a page. */
function countWithin(candidates: readonly Item[]): number {
  let size = 0;
  const over = candidates.findIndex((item) => {
    size += itemSize(item);
    return size > LARGEST_PAGE;
  });
  return over < 0 ? candidates.length : over;
}
