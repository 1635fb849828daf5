import fc from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };
const LAST = 0x10ffff;

/** What fast-check's unit `binary` gives, which takes a second to list all characters before the first one. */
const anyCharacter = fc
  .integer({ min: 0, max: LAST - SURROGATES.count })
  .map((at) => String.fromCodePoint(at < SURROGATES.from ? at : at + SURROGATES.count));

/** Text of any characters of Unicode. */
export const anyText = fc.string({ unit: anyCharacter });
