/** Before a number; it is where every number begins. */
export const NUMBER_START = 1;
const MINUS = 2;
const ZERO = 3;
const INTEGER = 4;
const POINT = 5;
const FRACTION = 6;
const EXPONENT = 7;
const EXPONENT_SIGN = 8;
const EXPONENT_DIGITS = 9;

const DIGITS = '0123456789';
const STEPS: readonly (readonly [from: number, characters: string, to: number])[] = [
  [NUMBER_START, '-', MINUS],
  [NUMBER_START, '0', ZERO],
  [NUMBER_START, '123456789', INTEGER],
  [MINUS, '0', ZERO],
  [MINUS, '123456789', INTEGER],
  [INTEGER, DIGITS, INTEGER],
  [INTEGER, '.', POINT],
  [INTEGER, 'eE', EXPONENT],
  [ZERO, '.', POINT],
  [ZERO, 'eE', EXPONENT],
  [POINT, DIGITS, FRACTION],
  [FRACTION, DIGITS, FRACTION],
  [FRACTION, 'eE', EXPONENT],
  [EXPONENT, '+-', EXPONENT_SIGN],
  [EXPONENT, DIGITS, EXPONENT_DIGITS],
  [EXPONENT_SIGN, DIGITS, EXPONENT_DIGITS],
  [EXPONENT_DIGITS, DIGITS, EXPONENT_DIGITS],
];

/** RFC 8259 §6 as a table: `NUMBER_STEPS[(state << 8) | byte]` is the next state, 0 where the number cannot go on. */
export const NUMBER_STEPS = new Uint8Array((EXPONENT_DIGITS + 1) << 8);
for (const [from, characters, to] of STEPS) {
  for (const character of characters) NUMBER_STEPS[(from << 8) | character.charCodeAt(0)] = to;
}

/** `MAY_END_NUMBER[state]` is 1 where what was read is a whole number. */
export const MAY_END_NUMBER = new Uint8Array(EXPONENT_DIGITS + 1);
for (const state of [ZERO, INTEGER, FRACTION, EXPONENT_DIGITS]) MAY_END_NUMBER[state] = 1;
