import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { glyphPixels, toGlyphs } from '../../../../functions/videos/providers/sandbox/bitmap-font.ts';
import { anyText } from '../../../any-text.ts';

function drawn(character: string): string[] {
  const rows = Array.from({ length: 7 }, () => Array<string>(5).fill('.'));
  for (const [x, y] of glyphPixels(character)) rows[y]![x] = '#';
  return rows.map((row) => row.join(''));
}

describe('the bitmap font', () => {
  test('draws letters the right way round', () => {
    expect(drawn('F')).toEqual(['#####', '#....', '#....', '####.', '#....', '#....', '#....']);
    expect(drawn('7')).toEqual(['#####', '....#', '...#.', '..#..', '.#...', '.#...', '.#...']);
    expect(drawn(' ')).toEqual(Array(7).fill('.....'));
  });

  test('has a different picture for every character that a caption or a plate needs', () => {
    const needed = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,:;!?-+_/·'];
    expect(toGlyphs(needed.join(''))).toBe(needed.join(''));
    expect(new Set(needed.map((character) => drawn(character).join())).size).toBe(needed.length);
  });

  test.each([
    ['Sandbox', 'SANDBOX'],
    ['café', 'CAFE'],
    ['straße', 'STRASSE'],
    ['“so” – it’s…', '"SO" - IT\'S...'],
    ['two\nlines\tand a tab', 'TWO LINES AND A TAB'],
    ['東京 🦊!', '?? ?!'],
    ['__proto__ constructor', '__PROTO__ CONSTRUCTOR'],
  ])('%s is written as %s', (text, glyphs) => expect(toGlyphs(text)).toBe(glyphs));

  test('can write anything', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const character of toGlyphs(text)) expect(() => drawn(character)).not.toThrow();
        expect(toGlyphs(toGlyphs(text))).toBe(toGlyphs(text));
      }),
    );
  });
});
