import { NotInEngine } from '../service.ts';
import { isReserved } from './reserved-words.ts';
import { type Item, invalid, type Value } from './value.ts';

/** A path in an item: an attribute's name, then keys of maps and indexes of lists. */
export type Path = readonly [string, ...(string | number)[]];

export function valueAt(item: Item, path: Path): Value | undefined {
  return path.reduce<Value | undefined>(childOf, { M: item });
}

function childOf(value: Value | undefined, part: string | number): Value | undefined {
  if (value === undefined) return undefined;
  if (typeof part === 'number') return 'L' in value ? value.L[part] : undefined;
  return 'M' in value ? value.M[part] : undefined;
}

export interface PlaceholderInput {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Item | undefined;
}

/** The `#names` and `:values` of a request's expressions. Each must be defined and used. */
export class Placeholders {
  readonly #given: PlaceholderInput;
  readonly #used = new Set<string>();

  constructor(given: PlaceholderInput) {
    this.#given = given;
    for (const [parameter, all] of this.#all()) {
      if (Object.keys(all).length === 0) throw invalid(`${parameter} must not be empty`);
    }
  }

  #all(): [string, object][] {
    const { ExpressionAttributeNames, ExpressionAttributeValues } = this.#given;
    const all = { ExpressionAttributeNames, ExpressionAttributeValues };
    return Object.entries(all).flatMap(([name, each]) => (each === undefined ? [] : [[name, each]]));
  }

  name(alias: string): string | undefined {
    this.#used.add(alias);
    return this.#given.ExpressionAttributeNames?.[alias];
  }

  value(alias: string): Value | undefined {
    this.#used.add(alias);
    return this.#given.ExpressionAttributeValues?.[alias];
  }

  assertAllUsed(): void {
    for (const [parameter, all] of this.#all()) {
      const unused = Object.keys(all).filter((alias) => !this.#used.has(alias));
      if (unused.length === 0) continue;
      const problem = `unused in expressions: keys: {${unused.join(', ')}}`;
      throw invalid(
        this.#used.size === 0
          ? `${parameter} can only be specified when using expressions`
          : `Value provided in ${parameter} ${problem}`,
      );
    }
  }
}

/** A cache. The same few expressions are read again and again. */
const known = new Map<string, readonly string[]>();

function tokensOf(expression: string): readonly string[] {
  const tokens = known.get(expression) ?? expression.match(/[#:]?\w+|<>|<=|>=|\S/g) ?? [];
  known.set(expression, tokens);
  return tokens;
}

/** A parser's position in an expression, with the parts that all kinds of expression share. */
export class Cursor {
  readonly kind: string;
  readonly #tokens: readonly string[];
  readonly #placeholders: Placeholders;
  #position = 0;

  constructor(expression: string, kind: string, placeholders: Placeholders) {
    this.kind = kind;
    this.#tokens = tokensOf(expression);
    this.#placeholders = placeholders;
    if (this.isAtEnd) this.reject('The expression can not be empty;');
  }

  get #token(): string {
    return this.#tokens[this.#position] ?? '<EOF>';
  }

  get isAtEnd(): boolean {
    return this.#position >= this.#tokens.length;
  }

  get isAtValue(): boolean {
    return this.#token.startsWith(':');
  }

  /** The name of the function whose call comes next, if any. */
  get functionName(): string | undefined {
    return this.#tokens[this.#position + 1] === '(' && /^\w/.test(this.#token) ? this.#token : undefined;
  }

  /** Skips this word or symbol if it comes next. */
  skip(text: string): boolean {
    const isNext = this.#token.toUpperCase() === text.toUpperCase();
    if (isNext) this.#position++;
    return isNext;
  }

  /** The one of these words or symbols that comes next, and is skipped. */
  skipOneOf<T extends string>(texts: readonly T[]): T | undefined {
    return texts.find((text) => this.skip(text));
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

  value(): Value {
    if (!this.isAtValue) this.fail();
    const alias = this.#token;
    this.#position++;
    return (
      this.#placeholders.value(alias) ??
      this.reject(
        `An expression attribute value used in expression is not defined; attribute value: ${alias}`,
      )
    );
  }

  path(): Path {
    const path: [string, ...(string | number)[]] = [this.#name()];
    for (;;) {
      if (this.skip('.')) path.push(this.#name());
      else if (this.skip('[')) {
        path.push(this.#index());
        this.expect(']');
      } else return path;
    }
  }

  #name(): string {
    const token = this.#token;
    if (!/^#|^[a-z_]/i.test(token)) this.fail();
    this.#position++;
    if (isReserved(token)) this.reject(`Attribute name is a reserved keyword; reserved keyword: ${token}`);
    if (!token.startsWith('#')) return token;
    return (
      this.#placeholders.name(token) ??
      this.reject(
        `An expression attribute name used in the document path is not defined; attribute name: ${token}`,
      )
    );
  }

  #index(): number {
    const token = this.#token;
    if (!/^\d+$/.test(token)) this.fail();
    this.#position++;
    return Number(token);
  }

  fail(): never {
    const near = this.#tokens.slice(Math.max(0, this.#position - 1), this.#position + 2).join(' ');
    this.reject(`Syntax error; token: "${this.#token}", near: "${near}"`);
  }

  reject(problem: string): never {
    throw invalid(`Invalid ${this.kind}: ${problem}`);
  }

  rejectType(operator: string, type: string): never {
    this.reject(
      `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`,
    );
  }
}

/** The attribute at this path. Answers with parts of attributes are not in the engine. */
export function wholeAttribute([name, ...rest]: Path): string {
  if (rest.length === 0) return name;
  throw new NotInEngine(`The engine returns whole attributes, not ${name}.${rest.join('.')}`);
}

/** The attributes that a projection keeps. */
export function parseProjection(
  expression: string | undefined,
  placeholders: Placeholders,
): readonly string[] | undefined {
  if (expression === undefined) return undefined;
  const cursor = new Cursor(expression, 'ProjectionExpression', placeholders);
  const names = cursor.list(() => wholeAttribute(cursor.path()));
  cursor.expectEnd();
  return names;
}
