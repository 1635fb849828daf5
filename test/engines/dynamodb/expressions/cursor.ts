import { ValidationFailed } from '../errors.ts';
import type { Value } from '../value.ts';
import type { Path } from './path.ts';
import type { Placeholders } from './placeholders.ts';
import { isReserved } from './reserved-words.ts';
import { type Token, tokenize } from './tokens.ts';

/** A parser's position in an expression, with the parts that all kinds of expression share. */
export class Cursor {
  readonly kind: string;
  readonly #tokens: readonly Token[];
  readonly #placeholders: Placeholders;
  #position = 0;

  constructor(expression: string, kind: string, placeholders: Placeholders) {
    this.kind = kind;
    this.#tokens = tokenize(expression, kind);
    this.#placeholders = placeholders;
  }

  get #token(): Token {
    return this.#tokens[this.#position] ?? { kind: 'end', text: '<EOF>' };
  }

  get isAtEnd(): boolean {
    return this.#token.kind === 'end';
  }

  /** Whether this word or symbol comes next. */
  isAt(text: string): boolean {
    const { kind, text: found } = this.#token;
    return (kind === 'symbol' || kind === 'name') && found.toUpperCase() === text.toUpperCase();
  }

  /** The name of the function whose call comes next, if any. */
  get functionName(): string | undefined {
    const next = this.#tokens[this.#position + 1];
    return this.#token.kind === 'name' && next?.text === '(' ? this.#token.text : undefined;
  }

  /** Skips this word or symbol if it comes next. */
  skip(text: string): boolean {
    const found = this.isAt(text);
    if (found) this.#position++;
    return found;
  }

  expect(text: string): void {
    if (!this.skip(text)) this.fail();
  }

  expectEnd(): void {
    if (!this.isAtEnd) this.fail();
  }

  /** @returns the results of `each`, which reads one or more elements separated by commas */
  list<T>(each: () => T): T[] {
    const items = [each()];
    while (this.skip(',')) items.push(each());
    return items;
  }

  get isAtValue(): boolean {
    return this.#token.kind === 'value';
  }

  value(): Value {
    if (!this.isAtValue) this.fail();
    return this.#placeholders.value(this.#take().text, this.kind);
  }

  path(): Path {
    const path: [string, ...(string | number)[]] = [this.#name()];
    for (;;) {
      if (this.skip('.')) path.push(this.#name());
      else if (this.skip('[')) {
        if (this.#token.kind !== 'number') this.fail();
        path.push(Number(this.#take().text));
        this.expect(']');
      } else return path;
    }
  }

  #name(): string {
    const { kind, text } = this.#token;
    if (kind !== 'name' && kind !== 'alias') this.fail();
    this.#position++;
    if (kind === 'alias') return this.#placeholders.name(text, this.kind);
    if (isReserved(text)) this.reject(`Attribute name is a reserved keyword; reserved keyword: ${text}`);
    return text;
  }

  #take(): Token {
    const token = this.#token;
    this.#position++;
    return token;
  }

  fail(): never {
    const near = this.#tokens
      .slice(Math.max(0, this.#position - 1), this.#position + 2)
      .filter(({ kind }) => kind !== 'end')
      .map(({ text }) => text)
      .join(' ');
    this.reject(`Syntax error; token: "${this.#token.text}", near: "${near}"`);
  }

  reject(problem: string): never {
    throw new ValidationFailed(`Invalid ${this.kind}: ${problem}`);
  }
}
