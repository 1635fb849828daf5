import { addDecimals, formatDecimal, negate, parseDecimal } from '../decimal.ts';
import { ValidationFailed } from '../errors.ts';
import { elementsOf, type Item, setOf, typeOf, type Value } from '../value.ts';
import { withAt, withoutAt } from './change-path.ts';
import { type Path, valueAt } from './path.ts';
import type { Update, UpdateOperand } from './update.ts';

/** The item after an update. All operands have their values from before the update. @throws ValidationFailed */
export function applyUpdate(update: Update, before: Item): Item {
  const sets = update.set.map(({ path, to }) => ({ path, value: operandValue(to, before) }));
  const whole = sets.filter(({ path }) => path.length === 1).map(({ path: [name], value }) => [name, value]);
  const within = sets.filter(({ path }) => path.length > 1);
  let after: Item = { ...before, ...Object.fromEntries(whole) };
  // Ordered by path: values beyond the end of a list are appended one after another.
  for (const { path, value } of within.toSorted((a, b) => byPlace(a.path, b.path))) {
    after = withAt(after, path, value);
  }
  for (const { path, value } of update.add) after = withAt(after, path, sum(valueAt(before, path), value));
  for (const { path, value } of update.delete) after = withoutElements(after, path, value);
  // From the last path to the first, because a removal moves the later elements of a list.
  for (const path of update.remove.toSorted((a, b) => byPlace(b, a))) after = withoutAt(after, path);
  return after;
}

function byPlace(a: Path, b: Path): number {
  const at = a.findIndex((part, i) => part !== b[i]);
  const [one, other] = [a[at], b[at]];
  return typeof one === 'number' && typeof other === 'number' ? one - other : 0;
}

function operandValue(operand: UpdateOperand, item: Item): Value {
  switch (operand.kind) {
    case 'value':
      return operand.value;
    case 'path':
      return valueAt(item, operand.path) ?? missing();
    case 'if_not_exists':
      return valueAt(item, operand.path) ?? operandValue(operand.otherwise, item);
    case 'list_append': {
      const [first, second] = [operandValue(operand.first, item), operandValue(operand.second, item)];
      return 'L' in first && 'L' in second ? { L: [...first.L, ...second.L] } : wrongType();
    }
    case '+':
    case '-':
      return added(operandValue(operand.left, item), operandValue(operand.right, item), operand.kind);
  }
}

function added(left: Value, right: Value, sign: '+' | '-'): Value {
  if (!('N' in left && 'N' in right)) return wrongType();
  const change = parseDecimal(right.N);
  return { N: formatDecimal(addDecimals(parseDecimal(left.N), sign === '+' ? change : negate(change))) };
}

function sum(value: Value | undefined, change: Value): Value {
  if (value === undefined) return change;
  if ('N' in change) return added(value, change, '+');
  const type = typeOf(change);
  if (type !== typeOf(value) || (type !== 'SS' && type !== 'NS' && type !== 'BS')) return wrongType();
  return setOf(type, [...new Set([...(elementsOf(value) ?? []), ...(elementsOf(change) ?? [])])]);
}

/** An empty set cannot exist, so the attribute is removed. */
function withoutElements(item: Item, path: Path, change: Value): Item {
  const value = valueAt(item, path);
  if (value === undefined) return item;
  const type = typeOf(change);
  if (type !== typeOf(value) || (type !== 'SS' && type !== 'NS' && type !== 'BS')) return wrongType();
  const gone = elementsOf(change) ?? [];
  const rest = (elementsOf(value) ?? []).filter((element) => !gone.includes(element));
  return rest.length === 0 ? withoutAt(item, path) : withAt(item, path, setOf(type, rest));
}

function wrongType(): never {
  throw new ValidationFailed('An operand in the update expression has an incorrect data type');
}

function missing(): never {
  throw new ValidationFailed(
    'The provided expression refers to an attribute that does not exist in the item',
  );
}
