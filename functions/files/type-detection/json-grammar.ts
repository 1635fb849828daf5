/**
 * The grammar of JSON (RFC 8259), and of lines that each hold one object or array, as a table of states:
 * `TRANSITIONS[(state << 8) | byte]` is the next state or, from `FIRST_ACTION` on, what has to be done to know it.
 */
export const TRANSITIONS = new Uint8Array(256 << 8);

/** Whatever the grammar does not allow leads there, and nothing leads away. */
export const VIOLATED = 0;
/** Where the next value of the text may begin, and after one on the same line. */
export const TOP = 1;
export const TOP_SAME_LINE = 2;
export const AFTER_MEMBER = 3;
export const AFTER_ELEMENT = 4;
export const FIRST_KEY = 5;
export const FIRST_ELEMENT = 6;
const KEY = 7;
const COLON = 8;
const MEMBER = 9;
const ELEMENT = 10;
let states = 11;

export const FIRST_ACTION = 252;
export const OPEN_OBJECT = 252;
export const OPEN_ARRAY = 253;
export const CLOSE = 254;
/** A line feed between the parts of a value. */
export const BREAK_LINE = 255;

const DIGITS = '0123456789';
const HEX_DIGITS = '0123456789abcdefABCDEF';
const [SPACE, BYTES] = [0x20, 0x100];

/** A line feed leads where a space leads. */
export const afterLineBreak = (state: number): number => TRANSITIONS[(state << 8) | SPACE] ?? VIOLATED;

const newState = (): number => states++;

function on(from: number, characters: string, to: number): void {
  for (const character of characters) TRANSITIONS[(from << 8) | character.charCodeAt(0)] = to;
}

function onBlank(from: number, to: number): void {
  on(from, ' \t\r', to);
  on(from, '\n', BREAK_LINE);
}

/** @returns the state after its opening quote */
function string(after: number): number {
  const inside = newState();
  const escaped = newState();
  const hexDigits = [newState(), newState(), newState(), newState()];
  for (let byte = SPACE; byte < BYTES; byte++) TRANSITIONS[(inside << 8) | byte] = inside;
  on(inside, '"', after);
  on(inside, '\\', escaped);
  on(escaped, '"\\/bfnrt', inside);
  on(escaped, 'u', hexDigits[0] ?? VIOLATED);
  for (const [i, digit] of hexDigits.entries()) on(digit, HEX_DIGITS, hexDigits[i + 1] ?? inside);
  return inside;
}

function literal(text: string, before: number, after: number): void {
  let state = before;
  for (const [i, character] of [...text].entries()) {
    const next = i === text.length - 1 ? after : newState();
    on(state, character, next);
    state = next;
  }
}

/** A number has no end mark of its own: what may follow a value ends it. @returns the states in which it is whole */
function number(before: number): number[] {
  const [minus, zero, integer, point, fraction] = [
    newState(),
    newState(),
    newState(),
    newState(),
    newState(),
  ];
  const [exponent, sign, power] = [newState(), newState(), newState()];
  on(before, '-', minus);
  for (const start of [before, minus]) {
    on(start, '0', zero);
    on(start, '123456789', integer);
  }
  on(integer, DIGITS, integer);
  for (const whole of [integer, zero]) on(whole, '.', point);
  for (const part of [point, fraction]) on(part, DIGITS, fraction);
  for (const mantissa of [integer, zero, fraction]) on(mantissa, 'eE', exponent);
  on(exponent, '+-', sign);
  for (const part of [exponent, sign, power]) on(part, DIGITS, power);
  return [zero, integer, fraction, power];
}

function value(before: number, after: number, separator: number, bracket: string): void {
  onBlank(before, before);
  on(before, '"', string(after));
  on(before, '{', OPEN_OBJECT);
  on(before, '[', OPEN_ARRAY);
  for (const text of ['true', 'false', 'null']) literal(text, before, after);
  for (const end of [after, ...number(before)]) {
    onBlank(end, after);
    on(end, ',', separator);
    on(end, bracket, CLOSE);
  }
}

on(TOP, ' \t\r\n', TOP);
on(TOP, '{', OPEN_OBJECT);
on(TOP, '[', OPEN_ARRAY);
on(TOP_SAME_LINE, ' \t\r', TOP_SAME_LINE);
on(TOP_SAME_LINE, '\n', TOP);

const key = string(COLON);
for (const before of [FIRST_KEY, KEY]) {
  onBlank(before, before);
  on(before, '"', key);
}
on(FIRST_KEY, '}', CLOSE);
onBlank(COLON, COLON);
on(COLON, ':', MEMBER);

value(MEMBER, AFTER_MEMBER, KEY, '}');
value(ELEMENT, AFTER_ELEMENT, ELEMENT, ']');
TRANSITIONS.copyWithin(FIRST_ELEMENT << 8, ELEMENT << 8, (ELEMENT + 1) << 8);
onBlank(FIRST_ELEMENT, FIRST_ELEMENT);
on(FIRST_ELEMENT, ']', CLOSE);
