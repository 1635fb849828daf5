import type { Item, Value } from '../value.ts';

/** A path in an item: an attribute's name, then keys of maps and indexes of lists. */
export type Path = readonly [string, ...(string | number)[]];

export function valueAt(item: Item, [name, ...rest]: Path): Value | undefined {
  let value = item[name];
  for (const part of rest) value = value === undefined ? undefined : childOf(value, part);
  return value;
}

function childOf(value: Value, part: string | number): Value | undefined {
  if (typeof part === 'number') return 'L' in value ? value.L[part] : undefined;
  return 'M' in value ? value.M[part] : undefined;
}

export const startsWith = (path: Path, start: Path): boolean => start.every((part, i) => path[i] === part);

/** The path as DynamoDB's messages show it. */
export const describePath = (path: Path): string =>
  `[${path.map((part) => (typeof part === 'number' ? `[${part}]` : part)).join(', ')}]`;
