import * as v from 'valibot';
import { NotInEngine, ServiceError } from '../service.ts';

/** A value of an attribute as on the wire. The engine has no sets of numbers or bytes. */
export type Value =
  | { readonly S: string }
  | { readonly N: string }
  | { readonly B: string }
  | { readonly BOOL: boolean }
  | { readonly NULL: true }
  | { readonly L: readonly Value[] }
  | { readonly M: Item }
  | { readonly SS: readonly string[] };

export type Item = Readonly<Record<string, Value>>;

export type Type = 'S' | 'N' | 'B' | 'BOOL' | 'NULL' | 'L' | 'M' | 'SS';

/** The request is invalid, in itself or for this row. */
export const invalid = (message: string) => new ServiceError('ValidationException', message);

const DEEPEST = 32;
/** Plain notation, as the SDK writes all numbers below 10^21. */
const NUMBER = /^-?(?:0|[1-9]\d{0,37})(?:\.\d{0,37}[1-9])?$/;

/** An item on the wire. A schema for each value would take most of a call's time. */
export const itemSchema = v.custom<Item>((input) => {
  if (typeof input !== 'object' || input === null) return false;
  assertNames(input);
  for (const value of Object.values(input)) assertValue(value, 1);
  return true;
});

function assertNames(attributes: object): void {
  if ('' in attributes) throw invalid('Empty attribute name');
}

/** The SDK sends no other values, so a wrong one is a mistake of the test. */
function assertValue(value: unknown, depth: number): void {
  if (depth > DEEPEST) throw invalid('Nesting Levels have exceeded supported limits');
  const [type = '', content] = Object.entries(Object(value))[0] ?? [];
  if (type === 'L' || type === 'M') {
    assertNames(Object(content));
    for (const each of Object.values(Object(content))) assertValue(each, depth + 1);
  } else if (
    !['S', 'B', 'BOOL', 'NULL', 'SS'].includes(type) &&
    !(type === 'N' && NUMBER.test(String(content)))
  ) {
    throw new NotInEngine(`The engine has no value ${JSON.stringify(value)}`);
  }
}

const TYPES: readonly Type[] = ['S', 'N', 'B', 'BOOL', 'NULL', 'L', 'M', 'SS'];

export function typeOf(value: Value): Type {
  for (const type of TYPES) if (type in value) return type;
  throw new Error('a value without a type');
}

/** The item's attributes with these names, in this order. */
export function pickAttributes(item: Item, names: readonly string[]): Item {
  const picked: Record<string, Value> = {};
  for (const name of names) {
    const value = item[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

/** The code adds nothing but whole numbers. */
const WHOLE = /^-?\d+$/;

export function addNumbers(a: string, b: string): string {
  if (WHOLE.test(a) && WHOLE.test(b)) return String(BigInt(a) + BigInt(b));
  throw new NotInEngine(`The engine does not add ${a} and ${b}`);
}

/** Numbers that a double holds exactly. */
const SHORT = /^-?\d{1,15}$/;

function compareNumbers(a: string, b: string): number {
  const areShort = SHORT.test(a) && SHORT.test(b);
  if (areShort || !(WHOLE.test(a) && WHOLE.test(b))) return Number(a) - Number(b);
  const difference = BigInt(a) - BigInt(b);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

/** Texts without characters above U+D7FF: there UTF-16 units are in the same order as UTF-8 bytes. */
const IN_ORDER = /^[\0-\u{D7FF}]*$/u;

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  if (IN_ORDER.test(a) && IN_ORDER.test(b)) return a < b ? -1 : 1;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Compares two texts or two numbers. Undefined for other values. */
export function compareValues(a: Value, b: Value): number | undefined {
  if ('S' in a && 'S' in b) return compareTexts(a.S, b.S);
  return 'N' in a && 'N' in b ? compareNumbers(a.N, b.N) : undefined;
}

export function areEqual(a: Value | undefined, b: Value | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  if ('L' in a && 'L' in b)
    return a.L.length === b.L.length && a.L.every((each, i) => areEqual(each, b.L[i]));
  if ('M' in a && 'M' in b) return areEqualItems(a.M, b.M);
  if ('SS' in a && 'SS' in b) return a.SS.length === b.SS.length && a.SS.every((each) => b.SS.includes(each));
  return typeOf(a) === typeOf(b) && Object.values(a)[0] === Object.values(b)[0];
}

export function areEqualItems(a: Item, b: Item): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => areEqual(a[name], b[name]));
}

/** A cache: a write makes new ones of what it changes, and leaves all else as it is. */
const sizes = new WeakMap<Item | readonly Value[], number>();

function cached<T extends Item | readonly Value[]>(part: T, measure: (part: T) => number): number {
  const size = sizes.get(part) ?? measure(part);
  sizes.set(part, size);
  return size;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/**
 * An item's size as DynamoDB counts it: names and values in bytes, and a few bytes for each level ("Item sizes and
 * formats").
 */
export const itemSize = (item: Item): number =>
  cached(item, () =>
    sum(Object.entries(item).map(([name, value]) => Buffer.byteLength(name) + valueSize(value))),
  );

function valueSize(value: Value): number {
  if ('S' in value) return Buffer.byteLength(value.S);
  if ('N' in value) return numberSize(value.N);
  if ('B' in value) return Buffer.byteLength(value.B, 'base64');
  if ('L' in value) return cached(value.L, (list) => 3 + sum(list.map((each) => 1 + valueSize(each))));
  if ('M' in value) return 3 + Object.keys(value.M).length + itemSize(value.M);
  return 'SS' in value ? sum(value.SS.map((each) => Buffer.byteLength(each))) : 1;
}

/** One byte for two digits, without leading and trailing zeros; one byte more, and another one for a minus. */
function numberSize(number: string): number {
  const digits = number.replace(/[-.]/g, '').replace(/^0+|0+$/g, '').length;
  return Math.ceil(digits / 2) + 1 + (number.startsWith('-') ? 1 : 0);
}
