import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { wrapWords } from '../../../../functions/videos/providers/sandbox/scene.ts';

describe('wrapWords', () => {
  test.each([
    ['', 10, 3, []],
    ['one', 10, 3, ['one']],
    ['one two', 7, 3, ['one two']],
    ['one two', 6, 3, ['one', 'two']],
    ['  one   two  ', 10, 3, ['one two']],
    ['extraordinary fox', 5, 9, ['extra', 'ordin', 'ary', 'fox']],
    ['one two three', 5, 2, ['one', 'tw...']],
    ['one two three four', 7, 2, ['one two', 'thre...']],
    ['one two', 3, 1, ['...']],
    ['one two', 2, 1, ['..']],
  ])('%j in %i columns and %i lines', (text, columns, maxLines, lines) => {
    expect(wrapWords(text, columns, maxLines)).toEqual(lines);
  });

  test('never exceeds the columns or the lines, and loses nothing if there is room', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { maxLength: 20 });
    fc.assert(
      fc.property(
        words,
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 6 }),
        (all, columns, max) => {
          const lines = wrapWords(all.join(' '), columns, max);
          expect(lines.length).toBeLessThanOrEqual(max);
          for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
          const unbounded = wrapWords(all.join(' '), columns, Number.POSITIVE_INFINITY);
          expect(unbounded.join('').replaceAll(' ', '')).toBe(all.join(''));
        },
      ),
    );
  });
});
