import type { Item, Value } from '../value.ts';
import { Cursor } from './cursor.ts';
import { type Path, valueAt } from './path.ts';
import type { Placeholders } from './placeholders.ts';

export function parseProjection(expression: string, placeholders: Placeholders): readonly Path[] {
  const cursor = new Cursor(expression, 'ProjectionExpression', placeholders);
  const paths = cursor.list(() => cursor.path());
  cursor.expectEnd();
  return paths;
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

/** The parts of an item at these paths, within their maps and lists. Gaps in lists are closed. */
export function project(item: Item, paths: readonly Path[]): Item {
  const found = paths.filter((path) => valueAt(item, path) !== undefined);
  const names = new Set(found.map(([name]) => name));
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const value = item[name];
      return value === undefined ? [] : [[name, pick(value, tails(found, name))]];
    }),
  );
}

type Tail = readonly (string | number)[];

const tails = (paths: readonly Tail[], head: string | number): Tail[] =>
  paths.filter(([first]) => first === head).map(([, ...rest]) => rest);

function pick(value: Value, paths: readonly Tail[]): Value {
  if (paths.some(({ length }) => length === 0)) return value;
  if ('L' in value) {
    return {
      L: value.L.flatMap((each, i) => (tails(paths, i).length === 0 ? [] : [pick(each, tails(paths, i))])),
    };
  }
  if (!('M' in value)) return value;
  const kept = Object.entries(value.M).filter(([name]) => tails(paths, name).length > 0);
  return { M: Object.fromEntries(kept.map(([name, each]) => [name, pick(each, tails(paths, name))])) };
}
