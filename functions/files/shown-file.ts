import * as v from 'valibot';
import { count, instant } from '../http/answer-schemas.ts';
import { type NeutralName, WIRE_NAMES, wireName } from '../wire-names.ts';
import { PURPOSES } from './upload/purpose.ts';

/** The values of `_shape`, by this deployment's `wireNames`. */
const shapes = (...names: readonly NeutralName[]) =>
  v.picklist(WIRE_NAMES.flatMap((wire) => names.map((name) => wireName(name, wire))));

const nativeEntries = {
  id: v.string(),
  type: v.literal('file'),
  filename: v.string(),
  mime_type: v.pipe(v.string(), v.description('Found in the bytes, never in the name')),
  size_bytes: count,
  created_at: instant,
  downloadable: v.boolean(),
  expires_at: v.optional(v.pipe(instant, v.description('From when on it is there for nobody'))),
};
const openaiEntries = {
  id: v.string(),
  object: v.literal('file'),
  bytes: count,
  created_at: v.pipe(count, v.description('Unix seconds')),
  filename: v.string(),
  purpose: v.picklist(PURPOSES),
  status: v.literal('processed'),
  expires_at: v.optional(v.pipe(count, v.description('Unix seconds'))),
};

/** A file as answers show it, in the words of three APIs. */
export const nativeFileSchema = v.object({ _shape: shapes('native'), ...nativeEntries });
export const providerAFileSchema = v.object({ _shape: shapes('provider_a'), ...openaiEntries });
export const providerBFileSchema = v.object({ _shape: shapes('provider_b'), ...nativeEntries });
export const fileSchema = v.union([nativeFileSchema, providerAFileSchema, providerBFileSchema]);

const idOrNull = v.nullable(v.string());
const page = { first_id: idOrNull, last_id: idOrNull, has_more: v.boolean() };

export const fileListSchema = v.union([
  v.object({ _shape: shapes('native'), data: v.array(nativeFileSchema), ...page, cursor: idOrNull }),
  v.object({
    _shape: shapes('provider_a'),
    object: v.literal('list'),
    data: v.array(providerAFileSchema),
    ...page,
  }),
  v.object({
    _shape: shapes('provider_b'),
    data: v.array(providerBFileSchema),
    ...page,
    next_page: idOrNull,
  }),
]);

export const deletedFileSchema = v.union([
  v.object({ _shape: shapes('native', 'provider_b'), id: v.string(), type: v.literal('file_deleted') }),
  v.object({
    _shape: shapes('provider_a'),
    id: v.string(),
    object: v.literal('file'),
    deleted: v.literal(true),
  }),
]);
