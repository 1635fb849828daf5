import { compareDecimals, parseDecimal } from './decimal.ts';
import { elementsOf, type Item, typeOf, type Value } from './value.ts';

/** Compares two values of the same ordered type. Undefined for all other values. */
export function compareValues(a: Value, b: Value): number | undefined {
  if ('S' in a && 'S' in b) return compareTexts(a.S, b.S);
  if ('N' in a && 'N' in b) return compareNumbers(a.N, b.N);
  if ('B' in a && 'B' in b) return Buffer.compare(Buffer.from(a.B, 'base64'), Buffer.from(b.B, 'base64'));
  return undefined;
}

/** Texts without characters above U+D7FF: there UTF-16 units are in the same order as UTF-8 bytes. */
const IN_ORDER = /^[\0-\u{D7FF}]*$/u;

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  if (IN_ORDER.test(a) && IN_ORDER.test(b)) return a < b ? -1 : 1;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Numbers that a double holds exactly. */
const SHORT = /^-?\d{1,15}$/;

const compareNumbers = (a: string, b: string): number =>
  SHORT.test(a) && SHORT.test(b) ? Number(a) - Number(b) : compareDecimals(parseDecimal(a), parseDecimal(b));

export function areEqual(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (typeOf(a) !== typeOf(b)) return false;
  if ('L' in a && 'L' in b) {
    const { L: others } = b;
    return a.L.length === others.length && a.L.every((each, i) => isEqualTo(each, others[i]));
  }
  if ('M' in a && 'M' in b) return areEqualItems(a.M, b.M);
  const [elements, others] = [elementsOf(a), elementsOf(b)];
  if (elements !== undefined && others !== undefined) {
    return elements.length === others.length && elements.every((each) => others.includes(each));
  }
  return Object.values(a)[0] === Object.values(b)[0];
}

export function areEqualItems(a: Item, b: Item): boolean {
  const entries = Object.entries(a);
  return (
    entries.length === Object.keys(b).length && entries.every(([name, each]) => isEqualTo(each, b[name]))
  );
}

const isEqualTo = (a: Value, b: Value | undefined) => b !== undefined && areEqual(a, b);
