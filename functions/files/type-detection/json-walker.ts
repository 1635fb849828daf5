import {
  AFTER_ELEMENT,
  AFTER_MEMBER,
  afterLineBreak,
  CLOSE,
  FIRST_ACTION,
  FIRST_ELEMENT,
  FIRST_KEY,
  OPEN_ARRAY,
  OPEN_OBJECT,
  TOP,
  TOP_SAME_LINE,
  TRANSITIONS,
  VIOLATED,
} from './json-grammar.ts';
import { NestingStack } from './nesting-stack.ts';

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
