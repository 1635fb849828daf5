/**
 * The entries of a list: the kind of each row, by its place. A place is text that sorts as the list does: the row's
 * sort key, a space and its id, such as `2030-01-01T00:00:00.000Z 3f1c…`.
 */
export type Entries = Readonly<Record<string, string>>;

/** What is known of a run of entries without reading them: how many there are of each kind. */
export interface Block {
  readonly id: string;
  /** The place of the first entry. */
  readonly first: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** A change of one entry; without a kind the entry is removed. */
export interface Change {
  readonly place: string;
  readonly kind: string | undefined;
}

/** The most entries of a block. A row with so many takes some 10 KB; a root row of 400 KB counts some 2,500 blocks. */
export const MOST_ENTRIES = 100;

export const placeOf = (createdAt: string, id: string) => `${createdAt} ${id}`;
export const idAt = (place: string): string => place.slice(place.indexOf(' ') + 1);

/** How many entries there are of some kinds, or of all. */
export const sizeOf = ({ counts }: Pick<Block, 'counts'>, kinds?: readonly string[]): number =>
  Object.entries(counts).reduce(
    (sum, [kind, count]) => sum + (kinds === undefined || kinds.includes(kind) ? count : 0),
    0,
  );

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The blocks that a change rewrites: its own, and a neighbour that can be merged with it. */
export function affected(blocks: readonly Block[], { place, kind }: Change): Range {
  const at = Math.max(
    0,
    blocks.findLastIndex(({ first }) => first <= place),
  );
  const range = { from: at, to: Math.min(at + 1, blocks.length) };
  if (kind !== undefined) return range;
  const isSmall = (one: number) => {
    const pair = blocks.slice(one, one + 2);
    return pair.length === 2 && pair.reduce((sum, block) => sum + sizeOf(block), 0) <= MOST_ENTRIES / 2;
  };
  if (isSmall(at)) return { from: at, to: at + 2 };
  return at > 0 && isSmall(at - 1) ? { from: at - 1, to: at + 1 } : range;
}

/** @param entries of all affected blocks */
export function withChange(entries: Entries, { place, kind }: Change): Entries {
  const { [place]: _, ...others } = entries;
  return kind === undefined ? others : { ...others, [place]: kind };
}

/**
 * Splits entries into blocks. A list usually grows at its end, where the blocks left behind are full; elsewhere two
 * halves leave room to grow.
 */
export function split(entries: Entries, isAtEnd: boolean): Entries[] {
  const sorted = Object.entries(entries).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const parts = Math.ceil(sorted.length / MOST_ENTRIES);
  const size = isAtEnd ? MOST_ENTRIES : Math.ceil(sorted.length / parts);
  return Array.from({ length: parts }, (_, part) =>
    Object.fromEntries(sorted.slice(part * size, (part + 1) * size)),
  );
}

export const isLast = (entries: Entries, place: string): boolean =>
  Object.keys(entries).every((each) => each <= place);

/** The places in order, of some kinds or of all. */
export const placesIn = (entries: Entries, kinds?: readonly string[]): string[] =>
  Object.entries(entries)
    .flatMap(([place, kind]) => (kinds === undefined || kinds.includes(kind) ? place : []))
    .toSorted();

export function toBlock({ id, entries }: { readonly id: string; readonly entries: Entries }): Block {
  const counts = new Map<string, number>();
  for (const kind of Object.values(entries)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const [first = ''] = Object.keys(entries).toSorted();
  return { id, first, counts: Object.fromEntries(counts) };
}

/** A page of a list: which blocks to read, and how many entries to skip. */
export interface Cut {
  readonly blocks: readonly Block[];
  readonly skip: number;
}

export function cut(
  blocks: readonly Block[],
  { offset, limit, kinds }: { offset: number; limit: number; kinds?: readonly string[] | undefined },
): Cut {
  const wanted: Block[] = [];
  let passed = 0;
  let skip = 0;
  for (const block of blocks) {
    const size = sizeOf(block, kinds);
    if (size > 0 && passed + size > offset && passed < offset + limit) {
      if (wanted.length === 0) skip = offset - passed;
      wanted.push(block);
    }
    passed += size;
  }
  return { blocks: wanted, skip };
}
