import { TYPES, typeOf } from '../value.ts';
import { COMPARATORS, type Condition, type Operand } from './condition.ts';
import { Cursor } from './cursor.ts';
import type { Placeholders } from './placeholders.ts';

/** NOT binds tightest, then AND, then OR. */
export function parseCondition(expression: string, kind: string, placeholders: Placeholders): Condition {
  const cursor = new Cursor(expression, kind, placeholders);
  const condition = parseOr(cursor);
  cursor.expectEnd();
  return condition;
}

function parseOr(cursor: Cursor): Condition {
  let left = parseAnd(cursor);
  while (cursor.skip('OR')) left = { kind: 'or', left, right: parseAnd(cursor) };
  return left;
}

function parseAnd(cursor: Cursor): Condition {
  let left = parseNot(cursor);
  while (cursor.skip('AND')) left = { kind: 'and', left, right: parseNot(cursor) };
  return left;
}

function parseNot(cursor: Cursor): Condition {
  if (cursor.skip('NOT')) return { kind: 'not', condition: parseNot(cursor) };
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
  if (name !== undefined && name !== 'size') return parseFunction(cursor, name);
  const operand = parseOperand(cursor);
  if (cursor.skip('BETWEEN')) return parseBetween(cursor, operand);
  if (cursor.skip('IN')) {
    cursor.expect('(');
    const options = cursor.list(() => parseOperand(cursor));
    cursor.expect(')');
    return { kind: 'in', operand, options };
  }
  return parseComparison(cursor, operand);
}

function parseBetween(cursor: Cursor, operand: Operand): Condition {
  const low = parseOperand(cursor);
  cursor.expect('AND');
  const high = parseOperand(cursor);
  for (const bound of [low, high]) requireOrder(cursor, 'BETWEEN', bound);
  return { kind: 'between', operand, low, high };
}

function parseComparison(cursor: Cursor, left: Operand): Condition {
  const comparator = COMPARATORS.find((each) => cursor.skip(each));
  if (comparator === undefined) return cursor.fail();
  const right = parseOperand(cursor);
  if (comparator !== '=' && comparator !== '<>') {
    for (const side of [left, right]) requireOrder(cursor, comparator, side);
  }
  return { kind: 'compare', comparator, left, right };
}

function parseFunction(cursor: Cursor, name: string): Condition {
  cursor.expect(name);
  cursor.expect('(');
  const condition = parseArguments(cursor, name);
  if (cursor.isAt(','))
    cursor.reject(`Incorrect number of operands for operator or function; operator or function: ${name}`);
  cursor.expect(')');
  return condition;
}

function parseArguments(cursor: Cursor, name: string): Condition {
  switch (name) {
    case 'attribute_exists':
    case 'attribute_not_exists':
      return { kind: 'exists', path: parsePathOnly(cursor, name), expected: name === 'attribute_exists' };
    case 'attribute_type': {
      const path = parsePathOnly(cursor, name);
      cursor.expect(',');
      const value = cursor.value();
      const type = TYPES.find((each) => 'S' in value && each === value.S);
      if (type === undefined) return cursor.reject('Invalid attribute type name found');
      return { kind: 'type', path, type };
    }
    case 'begins_with': {
      const operand = parseOperand(cursor);
      cursor.expect(',');
      const start = parseOperand(cursor);
      for (const side of [operand, start]) requireType(cursor, name, side, ['S', 'B']);
      return { kind: 'begins', operand, start };
    }
    case 'contains': {
      const operand = parseOperand(cursor);
      cursor.expect(',');
      return { kind: 'contains', operand, wanted: parseOperand(cursor) };
    }
    default:
      return cursor.reject(`Invalid function name; function: ${name}`);
  }
}

function parsePathOnly(cursor: Cursor, name: string) {
  if (!cursor.isAtValue) return cursor.path();
  return cursor.reject(`Operator or function requires a document path; operator or function: ${name}`);
}

function parseOperand(cursor: Cursor): Operand {
  if (cursor.isAtValue) return { kind: 'value', value: cursor.value() };
  const name = cursor.functionName;
  if (name === undefined) return { kind: 'path', path: cursor.path() };
  if (name !== 'size') {
    cursor.reject(`The function is not allowed to be used this way in an expression; function: ${name}`);
  }
  cursor.expect('size');
  cursor.expect('(');
  const of = parseOperand(cursor);
  cursor.expect(')');
  return { kind: 'size', of };
}

const requireOrder = (cursor: Cursor, operator: string, operand: Operand) =>
  requireType(cursor, operator, operand, ['S', 'N', 'B']);

function requireType(cursor: Cursor, name: string, operand: Operand, types: readonly string[]): void {
  if (operand.kind !== 'value' || types.includes(typeOf(operand.value))) return;
  cursor.reject(
    `Incorrect operand type for operator or function; operator or function: ${name}, operand type: ${typeOf(operand.value)}`,
  );
}
