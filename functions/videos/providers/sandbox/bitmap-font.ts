/** A 5x7 capital font. A glyph is seven rows from the top, each a base-32 digit whose five bits are pixels. */
const GLYPHS: Readonly<Record<string, string>> = {
  ' ': '0000000',
  '!': '4444404',
  '"': 'aaa0000',
  '#': 'aavavaa',
  $: '4fke5u4',
  '%': 'op248j3',
  '&': 'cik8lid',
  "'": 'c480000',
  '(': '2488842',
  ')': '8422248',
  '*': '04lel40',
  '+': '044v440',
  ',': '0000c48',
  '-': '000v000',
  '.': '00000cc',
  '/': '01248g0',
  '0': 'ehjlphe',
  '1': '4c4444e',
  '2': 'eh1248v',
  '3': 'v2421he',
  '4': '26aiv22',
  '5': 'vgu11he',
  '6': '68guhhe',
  '7': 'v124888',
  '8': 'ehhehhe',
  '9': 'ehhf12c',
  ':': '0cc0cc0',
  ';': '0cc0c48',
  '<': '248g842',
  '=': '00v0v00',
  '>': '8421248',
  '?': 'eh12404',
  '@': 'eh1dlle',
  A: 'ehhvhhh',
  B: 'uhhuhhu',
  C: 'ehggghe',
  D: 'uhhhhhu',
  E: 'vgguggv',
  F: 'vgguggg',
  G: 'ehgnhhf',
  H: 'hhhvhhh',
  I: 'e44444e',
  J: '72222ic',
  K: 'hikokih',
  L: 'ggggggv',
  M: 'hrllhhh',
  N: 'hpljhhh',
  O: 'ehhhhhe',
  P: 'uhhuggg',
  Q: 'ehhhlid',
  R: 'uhhukih',
  S: 'fgge11u',
  T: 'v444444',
  U: 'hhhhhhe',
  V: 'hhhhha4',
  W: 'hhhllla',
  X: 'hha4ahh',
  Y: 'hha4444',
  Z: 'v1248gv',
  '[': 'e88888e',
  ']': 'e22222e',
  _: '000000v',
  '·': '000cc00',
};

const UNKNOWN = '?';
/** Punctuation of typeset text that has a plain sister here but no Unicode decomposition to it. */
const PLAIN_PUNCTUATION: readonly (readonly [RegExp, string])[] = [
  [/[\u2010-\u2015]/g, '-'],
  [/[\u2018\u2019]/g, "'"],
  [/[\u201c\u201d]/g, '"'],
];

export const GLYPH_HEIGHT = 7;
const GLYPH_WIDTH = 5;
/** From one glyph to the next, with the gap between them. */
export const GLYPH_ADVANCE = 6;

/** The text in characters this font has: capitals, accents dropped, anything else as `?`. */
export function toGlyphs(text: string): string {
  let plain = text.normalize('NFKD').replace(/\p{M}/gu, '').replace(/\s/g, ' ').toUpperCase();
  for (const [pattern, replacement] of PLAIN_PUNCTUATION) plain = plain.replace(pattern, replacement);
  return Array.from(plain, (character) => (Object.hasOwn(GLYPHS, character) ? character : UNKNOWN)).join('');
}

/** The pixels of a glyph, as [column, row]. */
export function* glyphPixels(character: string): Generator<readonly [number, number]> {
  const rows = Array.from(GLYPHS[character] ?? '', (digit) => Number.parseInt(digit, 32));
  for (const [y, bits] of rows.entries()) {
    for (let x = 0; x < GLYPH_WIDTH; x++) {
      if ((bits >> (GLYPH_WIDTH - 1 - x)) & 1) yield [x, y];
    }
  }
}
