import { ValidationFailed } from '../errors.ts';
import { type Item, type Value, withAttribute, withoutAttribute } from '../value.ts';
import type { Path } from './path.ts';

/** The item with another value at a place. @throws ValidationFailed when there is nothing around that place */
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
    // A place behind the end is the next one.
    return { L: part < around.L.length ? around.L.with(part, inner) : [...around.L, inner] };
  }
  throw new ValidationFailed('The document path provided in the update expression is invalid for update');
}

/** The item without what is at a place, if there is anything. @throws ValidationFailed as `withAt` does */
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
