/**
 * The grammar of JSON (RFC 8259), and of lines that each hold one object or array, as a table of states:
 * `TRANSITIONS[(state << 8) | byte]` is the next state or, from `FIRST_ACTION` on, what has to be done to know it.
 */
const TRANSITIONS = new Uint8Array(256 << 8);

/** Whatever the grammar does not allow leads there, and nothing leads away. */
const VIOLATED = 0;
/** Where the next value of the text may begin, and after one on the same line. */
const TOP = 1;
const TOP_SAME_LINE = 2;
const AFTER_MEMBER = 3;
const AFTER_ELEMENT = 4;
const FIRST_KEY = 5;
const FIRST_ELEMENT = 6;
const KEY = 7;
const COLON = 8;
const MEMBER = 9;
const ELEMENT = 10;
let states = 11;

const FIRST_ACTION = 252;
const OPEN_OBJECT = 252;
const OPEN_ARRAY = 253;
const CLOSE = 254;
/** A line feed between the parts of a value. */
const BREAK_LINE = 255;

const DIGITS = '0123456789';
const HEX_DIGITS = '0123456789abcdefABCDEF';
const [SPACE, BYTES] = [0x20, 0x100];

/** A line feed leads where a space leads. */
const afterLineBreak = (state: number): number => TRANSITIONS[(state << 8) | SPACE] ?? VIOLATED;

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

/**
 * Tells JSON (RFC 8259: the text is one object or array) from NDJSON (two or more lines hold one each, others
 * are blank) from neither, in one walk over the bytes that builds no value. Text nested deeper than
 * `DEEPEST_NESTING` is neither. Whether strings are UTF-8 is not looked at.
 */
export class JsonWalker {
  readonly #nesting = new NestingStack();
  #state = TOP;
  #values = 0;
  #hasBrokenLine = false;

  /** `false` from the first violation on: the bytes after it make no difference. */
  write(chunk: Uint8Array): boolean {
    let state = this.#state;
    if (state === VIOLATED) return false;
    const length = chunk.length;
    let i = 0;
    while (i < length) {
      const row = state << 8;
      let next = TRANSITIONS[row | (chunk[i++] ?? 0)] ?? VIOLATED;
      // Most bytes leave the state as it is. Two of them a turn: what costs is to ask for the chunk's end after each.
      while (next === state && i + 1 < length) {
        next = TRANSITIONS[row | (chunk[i++] ?? 0)] ?? VIOLATED;
        if (next !== state) break;
        next = TRANSITIONS[row | (chunk[i++] ?? 0)] ?? VIOLATED;
      }
      state = next < FIRST_ACTION ? next : this.#act(next, state);
    }
    this.#state = state;
    return state !== VIOLATED;
  }

  end(): 'json' | 'ndjson' | undefined {
    if (this.#state === VIOLATED || this.#nesting.depth > 0 || this.#values === 0) return undefined;
    return this.#values === 1 ? 'json' : 'ndjson';
  }

  /** @returns the state after it */
  #act(action: number, state: number): number {
    if (action === OPEN_OBJECT) return this.#open(true) ? FIRST_KEY : VIOLATED;
    if (action === OPEN_ARRAY) return this.#open(false) ? FIRST_ELEMENT : VIOLATED;
    if (action === CLOSE) return this.#close();
    return this.#breakLine() ? afterLineBreak(state) : VIOLATED;
  }

  #open(isObject: boolean): boolean {
    const isNextValue = this.#nesting.depth === 0 && this.#values > 0;
    return !(isNextValue && this.#hasBrokenLine) && this.#nesting.push(isObject);
  }

  #close(): number {
    this.#nesting.pop();
    if (this.#nesting.depth > 0) return this.#nesting.isInObject ? AFTER_MEMBER : AFTER_ELEMENT;
    this.#values++;
    return TOP_SAME_LINE;
  }

  /** Blanks inside a value are free in JSON; a line break there rules NDJSON out. */
  #breakLine(): boolean {
    this.#hasBrokenLine = true;
    return this.#values === 0;
  }
}

/** 1 MiB of stack, whatever the text's size; no known writer nests its data past a few thousand levels. */
export const DEEPEST_NESTING = 8 * 1024 * 1024;

/** The open brackets of a JSON text, one bit each, so that hostile nesting costs an eighth of its bytes. */
class NestingStack {
  #bits = new Uint8Array(64);
  #depth = 0;

  get depth(): number {
    return this.#depth;
  }

  /** `false` when it is full. */
  push(isObject: boolean): boolean {
    if (this.#depth === DEEPEST_NESTING) return false;
    const index = this.#depth >> 3;
    if (index === this.#bits.length) this.#grow();
    const mask = 1 << (this.#depth & 7);
    const byte = this.#bits[index] ?? 0;
    this.#bits[index] = isObject ? byte | mask : byte & ~mask;
    this.#depth++;
    return true;
  }

  pop(): void {
    this.#depth--;
  }

  get isInObject(): boolean {
    const top = this.#depth - 1;
    return (((this.#bits[top >> 3] ?? 0) >> (top & 7)) & 1) === 1;
  }

  #grow(): void {
    const grown = new Uint8Array(this.#bits.length * 2);
    grown.set(this.#bits);
    this.#bits = grown;
  }
}
