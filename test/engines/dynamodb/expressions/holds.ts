import { areEqual, compareValues } from '../compare-values.ts';
import { elementsOf, type Item, typeOf, type Value } from '../value.ts';
import type { Comparator, Condition, Operand } from './condition.ts';
import { valueAt } from './path.ts';

/** Whether an item meets a condition. A missing item has no attributes. */
export function holds(condition: Condition, item: Item): boolean {
  switch (condition.kind) {
    case 'and':
      return holds(condition.left, item) && holds(condition.right, item);
    case 'or':
      return holds(condition.left, item) || holds(condition.right, item);
    case 'not':
      return !holds(condition.condition, item);
    case 'exists':
      return (valueAt(item, condition.path) !== undefined) === condition.expected;
    case 'type': {
      const value = valueAt(item, condition.path);
      return value !== undefined && typeOf(value) === condition.type;
    }
    case 'compare':
      return compares(condition.comparator, resolve(condition.left, item), resolve(condition.right, item));
    case 'between': {
      const value = resolve(condition.operand, item);
      return (
        compares('>=', value, resolve(condition.low, item)) &&
        compares('<=', value, resolve(condition.high, item))
      );
    }
    case 'in': {
      const value = resolve(condition.operand, item);
      return condition.options.some((option) => compares('=', value, resolve(option, item)));
    }
    case 'begins':
      return beginsWith(resolve(condition.operand, item), resolve(condition.start, item));
    case 'contains':
      return contains(resolve(condition.operand, item), resolve(condition.wanted, item));
  }
}

function resolve(operand: Operand, item: Item): Value | undefined {
  if (operand.kind === 'path') return valueAt(item, operand.path);
  return operand.kind === 'value' ? operand.value : sizeOf(resolve(operand.of, item));
}

/** The size of a value. Numbers, for example, have none. */
function sizeOf(value: Value | undefined): Value | undefined {
  if (value === undefined) return undefined;
  if ('S' in value) return { N: String(Buffer.byteLength(value.S)) };
  if ('B' in value) return { N: String(Buffer.byteLength(value.B, 'base64')) };
  if ('M' in value) return { N: String(Object.keys(value.M).length) };
  const elements = 'L' in value ? value.L : elementsOf(value);
  return elements === undefined ? undefined : { N: String(elements.length) };
}

/** A missing value, or one of another type, is unequal to everything and has no order. */
function compares(comparator: Comparator, left: Value | undefined, right: Value | undefined): boolean {
  if (left === undefined || right === undefined) return comparator === '<>';
  if (comparator === '=') return areEqual(left, right);
  if (comparator === '<>') return !areEqual(left, right);
  const order = compareValues(left, right);
  if (order === undefined) return false;
  if (comparator === '<') return order < 0;
  if (comparator === '<=') return order <= 0;
  return comparator === '>' ? order > 0 : order >= 0;
}

function beginsWith(value: Value | undefined, start: Value | undefined): boolean {
  if (value === undefined || start === undefined) return false;
  if ('S' in value && 'S' in start) return value.S.startsWith(start.S);
  if (!('B' in value && 'B' in start)) return false;
  const bytes = Buffer.from(start.B, 'base64');
  return Buffer.from(value.B, 'base64').subarray(0, bytes.length).equals(bytes);
}

function contains(value: Value | undefined, wanted: Value | undefined): boolean {
  if (value === undefined || wanted === undefined) return false;
  if ('S' in value) return 'S' in wanted && value.S.includes(wanted.S);
  if ('B' in value) {
    return 'B' in wanted && Buffer.from(value.B, 'base64').includes(Buffer.from(wanted.B, 'base64'));
  }
  if ('L' in value) return value.L.some((each) => areEqual(each, wanted));
  // The type of a set is its elements' type and an S: a set of strings has the type SS.
  const [element] = Object.values(wanted);
  return typeOf(value) === `${typeOf(wanted)}S` && (elementsOf(value)?.includes(element) ?? false);
}
