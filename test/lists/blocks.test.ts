import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  affected,
  type Block,
  cut,
  type Entries,
  isLast,
  MOST_ENTRIES,
  placesIn,
  sizeOf,
  split,
  toBlock,
  withChange,
} from '../../functions/lists/blocks.ts';

const placeAt = (at: number) => `2030 ${String(at).padStart(6, '0')}`;
const entriesOf = (from: number, to: number): Entries =>
  Object.fromEntries(Array.from({ length: to - from }, (_, i) => [placeAt(from + i), 'key']));
const blockOf = (id: string, from: number, to: number) => toBlock({ id, entries: entriesOf(from, to) });

describe('entries are split', () => {
  test.each<[string, number, boolean, number[]]>([
    ['not at all if there are none', 0, false, []],
    ['not if they just fit into one block', MOST_ENTRIES, false, [100]],
    ['into halves if there is one too many', MOST_ENTRIES + 1, false, [51, 50]],
    ['after a full block if the list grows at its end', MOST_ENTRIES + 1, true, [100, 1]],
    ['into as few blocks as possible', 2 * MOST_ENTRIES + 1, false, [67, 67, 67]],
  ])('%s', (_, count, isAtEnd, sizes) => {
    const parts = split(entriesOf(0, count), isAtEnd);
    expect(parts.map((part) => Object.keys(part).length)).toEqual(sizes);
    expect(parts.flatMap((part) => placesIn(part))).toEqual(placesIn(entriesOf(0, count)));
  });
});

describe('a change rewrites', () => {
  const full = [blockOf('a', 0, 100), blockOf('b', 100, 130), blockOf('c', 130, 150)];
  test.each<[string, readonly Block[], number, string | undefined, [number, number]]>([
    ['nothing of an empty list', [], 5, 'key', [0, 0]],
    ['the first block, before all others', [blockOf('a', 10, 20)], 5, 'key', [0, 1]],
    ['the block that contains it', full, 99, 'key', [0, 1]],
    ['the block that begins with it', full, 100, 'key', [1, 2]],
    ['the last block, after all others', full, 999, 'key', [2, 3]],
    ['two blocks if the rest fits into half a block', full, 110, undefined, [1, 3]],
    ['also the block before', full, 140, undefined, [1, 3]],
    ['only one block if its neighbour is too large', full.slice(0, 2), 110, undefined, [1, 2]],
    [
      'only one block if two have one entry too many',
      [blockOf('b', 0, 31), blockOf('c', 31, 51)],
      3,
      undefined,
      [0, 1],
    ],
  ])('%s', (_, blocks, at, kind, [from, to]) => {
    expect(affected(blocks, { place: placeAt(at), kind })).toEqual({ from, to });
  });
});

describe('a page is cut', () => {
  const blocks = [
    { id: 'a', first: '', counts: { on: 3, off: 1 } },
    { id: 'b', first: '', counts: { off: 5 } },
    { id: 'c', first: '', counts: { on: 2 } },
  ];
  const ids = (offset: number, limit: number, kinds?: string[]) => {
    const { blocks: wanted, skip } = cut(blocks, { offset, limit, kinds });
    return [wanted.map(({ id }) => id).join(''), skip];
  };
  test.each([
    [0, 4, undefined, ['a', 0]],
    [0, 5, undefined, ['ab', 0]],
    [3, 1, undefined, ['a', 3]],
    [4, 1, undefined, ['b', 0]],
    [8, 3, undefined, ['bc', 4]],
    [11, 9, undefined, ['', 0]],
    [2, 2, ['on'], ['ac', 2]],
    [3, 9, ['on'], ['c', 0]],
    [0, 9, ['none'], ['', 0]],
  ])('from %d, %d long, of %j', (offset, limit, kinds, expected) => {
    expect(ids(offset, limit, kinds)).toEqual(expected);
  });
});

/** A list like the store's, with all blocks in memory. */
class Kept {
  blocks: readonly Block[] = [];
  readonly entries = new Map<string, Entries>();
  #ids = 0;

  change(place: string, kind: string | undefined): void {
    const { from, to } = affected(this.blocks, { place, kind });
    const old = this.blocks.slice(from, to);
    const before: Entries = Object.assign({}, ...old.map(({ id }) => this.entries.get(id)));
    const after = withChange(before, { place, kind });
    const parts = split(after, to === this.blocks.length && isLast(after, place)).map((entries) => ({
      id: `${this.#ids++}`,
      entries,
    }));
    for (const { id, entries } of parts) this.entries.set(id, entries);
    this.blocks = this.blocks.toSpliced(from, to - from, ...parts.map(toBlock));
  }

  page(offset: number, limit: number, kinds?: readonly string[]): string[] {
    const { blocks, skip } = cut(this.blocks, { offset, limit, kinds });
    return blocks.flatMap(({ id }) => placesIn(this.entries.get(id) ?? {}, kinds)).slice(skip, skip + limit);
  }
}

test('blocks have the entries of a sorted list, in few blocks, after any changes', () => {
  const step = fc.record({
    at: fc.nat(900),
    run: fc.nat(250),
    kind: fc.constantFrom('on', 'off', undefined),
  });
  const asked = fc.tuple(
    fc.nat(400),
    fc.integer({ min: 1, max: 100 }),
    fc.constantFrom(undefined, ['on'], ['off']),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), fc.array(asked, { minLength: 1 }), (steps, pages) => {
      const kept = new Kept();
      const model = new Map<string, string>();
      for (const { at, run, kind } of steps) {
        for (let i = at; i <= at + run; i++) {
          kept.change(placeAt(i), kind);
          if (kind === undefined) model.delete(placeAt(i));
          else model.set(placeAt(i), kind);
        }
      }
      for (const [offset, limit, kinds] of pages) {
        const all = placesIn(Object.fromEntries(model), kinds);
        expect(kept.page(offset, limit, kinds)).toEqual(all.slice(offset, offset + limit));
        expect(kept.blocks.reduce((sum, block) => sum + sizeOf(block, kinds), 0)).toBe(all.length);
      }
      expect(kept.blocks.every((block) => sizeOf(block) > 0 && sizeOf(block) <= MOST_ENTRIES)).toBe(true);
      // Of two neighbouring blocks at least one is large, unless they changed later. So there are few blocks.
      expect(kept.blocks.length).toBeLessThanOrEqual(2 + model.size / (MOST_ENTRIES / 8));
    }),
    { numRuns: 60 },
  );
});
