import { compareDecimals, parseDecimal } from './decimal.ts';
import { elementsOf, typeOf, type Value } from './value.ts';

/** The order of two values of one type that has an order; undefined where there is none. */
export function compareValues(a: Value, b: Value): number | undefined {
  if ('S' in a && 'S' in b) return Buffer.compare(Buffer.from(a.S), Buffer.from(b.S));
  if ('N' in a && 'N' in b) return compareDecimals(parseDecimal(a.N), parseDecimal(b.N));
  if ('B' in a && 'B' in b) return Buffer.compare(Buffer.from(a.B, 'base64'), Buffer.from(b.B, 'base64'));
  return undefined;
}

export function areEqual(a: Value, b: Value): boolean {
  if (typeOf(a) !== typeOf(b)) return false;
  if ('L' in a && 'L' in b) {
    const { L: others } = b;
    return a.L.length === others.length && a.L.every((each, i) => isEqualTo(each, others[i]));
  }
  if ('M' in a && 'M' in b) {
    const { M: others } = b;
    const entries = Object.entries(a.M);
    return (
      entries.length === Object.keys(others).length &&
      entries.every(([name, each]) => isEqualTo(each, others[name]))
    );
  }
  const [elements, others] = [elementsOf(a), elementsOf(b)];
  if (elements !== undefined && others !== undefined) {
    return elements.length === others.length && elements.every((each) => others.includes(each));
  }
  return Object.values(a)[0] === Object.values(b)[0];
}

const isEqualTo = (a: Value, b: Value | undefined) => b !== undefined && areEqual(a, b);
