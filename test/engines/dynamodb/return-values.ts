import * as v from 'valibot';
import type { Path } from './expressions/path.ts';
import { project } from './expressions/projection.ts';
import type { Item } from './value.ts';

export const oldValuesSchema = v.optional(v.picklist(['NONE', 'ALL_OLD']), 'NONE');
export const returnValuesSchema = v.optional(
  v.picklist(['NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW']),
  'NONE',
);

export function returnedAttributes(
  wanted: v.InferOutput<typeof returnValuesSchema>,
  { before, after, paths }: { before: Item | undefined; after: Item | undefined; paths: readonly Path[] },
): { Attributes?: Item } {
  if (wanted === 'NONE') return {};
  const item = wanted.endsWith('OLD') ? before : after;
  if (item === undefined) return {};
  const Attributes = wanted.startsWith('ALL') ? item : project(item, paths);
  return Object.keys(Attributes).length === 0 ? {} : { Attributes };
}
