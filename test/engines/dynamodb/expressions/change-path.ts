import { ValidationFailed } from '../errors.ts';
import { type Item, type Value, withAttribute, withoutAttribute } from '../value.ts';
import type { Path } from './path.ts';

/** The item with a new value at this path. @throws ValidationFailed if the parent does not exist */
export const withAt = (item: Item, [name, ...rest]: Path, value: Value): Item =>
  withAttribute(item, name, rest.length === 0 ? value : withWithin(item[name], rest, value));

function withWithin(
  around: Value | undefined,
  [part, ...rest]: readonly (string | number)[],
  value: Value,
): Value {
  if (around !== undefined && typeof part === 'string' && 'M' in around) {
    const inner = rest.length === 0 ? value : withWithin(around.M[part], rest, value);
    return { M: withAttribute(around.M, part, inner) };
  }
  if (around !== undefined && typeof part === 'number' && 'L' in around) {
    const inner = rest.length === 0 ? value : withWithin(around.L[part], rest, value);
    // An index beyond the end of a list appends to it.
    return { L: part < around.L.length ? around.L.with(part, inner) : [...around.L, inner] };
  }
  throw new ValidationFailed('The document path provided in the update expression is invalid for update');
}

/** The item without the value at this path. @throws ValidationFailed like `withAt` */
export function withoutAt(item: Item, [name, ...rest]: Path): Item {
  if (rest.length === 0) return withoutAttribute(item, name);
  return withAttribute(item, name, withoutWithin(item[name], rest));
}

function withoutWithin(around: Value | undefined, [part, ...rest]: readonly (string | number)[]): Value {
  if (around !== undefined && typeof part === 'string' && 'M' in around) {
    if (rest.length === 0) return { M: withoutAttribute(around.M, part) };
    return { M: withAttribute(around.M, part, withoutWithin(around.M[part], rest)) };
  }
  if (around !== undefined && typeof part === 'number' && 'L' in around) {
    if (rest.length === 0) return { L: around.L.filter((_, i) => i !== part) };
    return { L: around.L.with(part, withoutWithin(around.L[part], rest)) };
  }
  throw new ValidationFailed('The document path provided in the update expression is invalid for update');
}
