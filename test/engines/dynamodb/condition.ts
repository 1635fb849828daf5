import { NotInEngine } from '../service.ts';
import { Cursor, type Placeholders, valueAt } from './expression.ts';
import type { KeyNames } from './sorted-items.ts';
import { areEqual, compareValues, type Item, invalid, typeOf, type Value } from './value.ts';

/** Whether an item meets a condition. A missing item has no attributes. */
export type Condition = (item: Item) => boolean;

interface Operand {
  readonly of: (item: Item) => Value | undefined;
  /** The value of an operand that is the same for every item. */
  readonly fixed?: Value;
}

const COMPARATORS = ['=', '<>', '<', '<=', '>', '>='] as const;
type Comparator = (typeof COMPARATORS)[number];

/** NOT binds tightest, then AND, then OR. */
export function parseCondition(expression: string, kind: string, placeholders: Placeholders): Condition {
  const cursor = new Cursor(expression, kind, placeholders);
  const condition = parseOr(cursor);
  cursor.expectEnd();
  return condition;
}

function parseOr(cursor: Cursor): Condition {
  const left = parseAnd(cursor);
  if (!cursor.skip('OR')) return left;
  const right = parseOr(cursor);
  return (item) => left(item) || right(item);
}

function parseAnd(cursor: Cursor): Condition {
  const left = parseNot(cursor);
  if (!cursor.skip('AND')) return left;
  const right = parseAnd(cursor);
  return (item) => left(item) && right(item);
}

function parseNot(cursor: Cursor): Condition {
  if (cursor.skip('NOT')) {
    const negated = parseNot(cursor);
    return (item) => !negated(item);
  }
  return cursor.skip('(') ? parseGroup(cursor) : parseTest(cursor);
}

const groups = new WeakSet<Condition>();

function parseGroup(cursor: Cursor): Condition {
  const condition = parseOr(cursor);
  cursor.expect(')');
  if (groups.has(condition)) cursor.reject('The expression has redundant parentheses;');
  groups.add(condition);
  return condition;
}

function parseTest(cursor: Cursor): Condition {
  const name = cursor.functionName;
  if (name !== undefined && name !== 'size') return parseExistence(cursor, name);
  const { of } = parseOperand(cursor);
  if (cursor.skip('IN')) {
    cursor.expect('(');
    const options = cursor.list(() => parseOperand(cursor));
    cursor.expect(')');
    return (item) => options.some((option) => areEqual(of(item), option.of(item)));
  }
  const comparator = cursor.skipOneOf(COMPARATORS) ?? cursor.fail();
  const right = parseOperand(cursor);
  if (comparator !== '=' && comparator !== '<>') assertOrdered(cursor, comparator, right.fixed);
  return (item) => compares(comparator, of(item), right.of(item));
}

function parseExistence(cursor: Cursor, name: string): Condition {
  if (name !== 'attribute_exists' && name !== 'attribute_not_exists') {
    throw new NotInEngine(`The engine has no function ${name}`);
  }
  cursor.expect(name);
  cursor.expect('(');
  const path = cursor.path();
  cursor.expect(')');
  const expected = name === 'attribute_exists';
  return (item) => (valueAt(item, path) !== undefined) === expected;
}

function parseOperand(cursor: Cursor): Operand {
  if (cursor.isAtValue) {
    const fixed = cursor.value();
    return { of: () => fixed, fixed };
  }
  const name = cursor.functionName;
  if (name === undefined) {
    const path = cursor.path();
    return { of: (item) => valueAt(item, path) };
  }
  if (!cursor.skip('size')) {
    cursor.reject(`The function is not allowed to be used this way in an expression; function: ${name}`);
  }
  cursor.expect('(');
  const { of } = parseOperand(cursor);
  cursor.expect(')');
  return { of: (item) => sizeOf(of(item)) };
}

/** The size of a value. Numbers, for example, have none. */
function sizeOf(value: Value | undefined): Value | undefined {
  if (value === undefined) return undefined;
  if ('S' in value) return { N: String(Buffer.byteLength(value.S)) };
  if ('B' in value) return { N: String(Buffer.byteLength(value.B, 'base64')) };
  const elements = 'L' in value ? value.L : 'SS' in value ? value.SS : 'M' in value && Object.keys(value.M);
  return elements ? { N: String(elements.length) } : undefined;
}

function assertOrdered(cursor: Cursor, operator: string, fixed: Value | undefined): void {
  if (fixed !== undefined && !('S' in fixed || 'N' in fixed)) cursor.rejectType(operator, typeOf(fixed));
}

/** A missing value, or one of another type, is unequal to everything and has no order. */
function compares(comparator: Comparator, left: Value | undefined, right: Value | undefined): boolean {
  if (comparator === '=') return areEqual(left, right);
  if (comparator === '<>') return !areEqual(left, right);
  const order = left && right && compareValues(left, right);
  if (order === undefined) return false;
  if (comparator === '<') return order < 0;
  if (comparator === '<=') return order <= 0;
  return comparator === '>' ? order > 0 : order >= 0;
}

export interface KeyCondition {
  readonly hash: Value;
  /** Whether the query includes this item of the partition. */
  readonly includes: Condition;
}

interface KeyTest {
  readonly name: string;
  /** The value that the attribute must equal, if the test requires that. */
  readonly equal?: Value;
  readonly holds: Condition;
}

/** One value of the partition key and, optionally, a range of the sort key. @throws ServiceError */
export function parseKeyCondition(text: string, names: KeyNames, placeholders: Placeholders): KeyCondition {
  const cursor = new Cursor(text, 'KeyConditionExpression', placeholders);
  const tests = [parseKeyTest(cursor)];
  while (cursor.skip('AND')) tests.push(parseKeyTest(cursor));
  cursor.expectEnd();
  const hash = tests.find(({ name }) => name === names.hash)?.equal;
  if (hash === undefined) throw invalid(`Query condition missed key schema element: ${names.hash}`);
  const [range, another] = tests.filter(({ name }) => name !== names.hash);
  if (tests.length > 2 || another !== undefined) {
    cursor.reject('KeyConditionExpressions must only contain one condition per key');
  }
  if (range !== undefined && range.name !== names.range) throw invalid('Query key condition not supported');
  return { hash, includes: range?.holds ?? (() => true) };
}

function parseKeyTest(cursor: Cursor): KeyTest {
  const path = cursor.path();
  const [name] = path;
  const of = (item: Item) => valueAt(item, path);
  if (cursor.skip('BETWEEN')) {
    const low = cursor.value();
    cursor.expect('AND');
    const high = cursor.value();
    return { name, holds: (item) => compares('>=', of(item), low) && compares('<=', of(item), high) };
  }
  const comparator = cursor.skipOneOf(COMPARATORS) ?? cursor.fail();
  const value = cursor.value();
  return {
    name,
    ...(comparator === '=' && { equal: value }),
    holds: (item) => compares(comparator, of(item), value),
  };
}
