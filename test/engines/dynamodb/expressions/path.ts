import type { Item, Value } from '../value.ts';

/** Where in an item something is: the name of an attribute, then names within maps and places within lists. */
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

/** As DynamoDB's messages write it. */
export const describePath = (path: Path): string =>
  `[${path.map((part) => (typeof part === 'number' ? `[${part}]` : part)).join(', ')}]`;
