import * as v from 'valibot';
import { defined } from '../defined.ts';
import { count, instant } from '../http/answer-schemas.ts';
import type { Headers } from '../http/call.ts';
import {
  isOpenaiClient,
  type NeutralName,
  WIRE_NAMES,
  type WireNames,
  wireName,
} from '../http/compatibility.ts';
import { PURPOSES, type StoredFile } from './file.ts';
import type { FileProviderName, ProviderFile } from './providers/file-provider.ts';

/** One of the three forms in which a file is described: ours, and those of two providers' file APIs. */
export interface FileDialect {
  readonly shape: NeutralName;
  /** The value of `_shape`. */
  readonly name: string;
}

const OF_PROVIDER = { openai: 'provider_a', anthropic: 'provider_b' } as const;

/** The shape of the provider that stores the file; otherwise the one that the client parses, by its headers. */
export function chooseDialect(headers: Headers, names: WireNames, provider?: FileProviderName): FileDialect {
  const shape = provider === undefined ? shapeOf(headers) : OF_PROVIDER[provider];
  return { shape, name: wireName(shape, names) };
}

function shapeOf(headers: Headers): NeutralName {
  if (headers['anthropic-version'] !== undefined) return 'provider_b';
  return isOpenaiClient(headers) ? 'provider_a' : 'native';
}

/** Those of our own; a provider may have others. */
const purposes: readonly string[] = PURPOSES;

/** The values of `_shape`, by this deployment's `wireNames`. */
const shapes = (...names: readonly NeutralName[]) =>
  v.picklist(WIRE_NAMES.flatMap((wire) => names.map((name) => wireName(name, wire))));

const nativeEntries = {
  id: v.string(),
  type: v.literal('file'),
  filename: v.string(),
  mime_type: v.pipe(
    v.string(),
    v.description(
      'Media type, detected from the content; for files at a provider, as the provider reports it',
    ),
  ),
  size_bytes: count,
  created_at: instant,
  downloadable: v.boolean(),
  expires_at: v.optional(
    v.pipe(
      instant,
      v.description('When the file expires. Absent if the upload set no expiry, and for files at a provider'),
    ),
  ),
};
const openaiEntries = {
  id: v.string(),
  object: v.literal('file'),
  bytes: count,
  created_at: v.pipe(count, v.description('Time of creation, in Unix seconds')),
  filename: v.string(),
  purpose: v.picklist(purposes),
  status: v.literal('processed'),
  expires_at: v.optional(
    v.pipe(
      count,
      v.description(
        'When the file expires, in Unix seconds. Absent if the upload set no expiry, and for files at a provider',
      ),
    ),
  ),
};

/** A file as answers show it, in the words of three APIs. Those at a provider are never shown in ours. */
export const nativeFileSchema = v.object({
  _shape: shapes('native'),
  ...nativeEntries,
  filename: v.pipe(
    v.string(),
    v.description('Name given when the file was uploaded, or `upload` if that name was empty'),
  ),
  mime_type: v.pipe(v.string(), v.description('Media type, detected from the content')),
  downloadable: v.pipe(v.boolean(), v.description('Whether you can download the content. Always `true`')),
  expires_at: v.optional(
    v.pipe(instant, v.description('When the file expires. Absent if the upload set no expiry')),
  ),
});
export const providerAFileSchema = v.object({ _shape: shapes('provider_a'), ...openaiEntries });
export const providerBFileSchema = v.object({ _shape: shapes('provider_b'), ...nativeEntries });
export const fileSchema = v.union([nativeFileSchema, providerAFileSchema, providerBFileSchema]);

const idOrNull = v.nullable(v.string());
const page = { first_id: idOrNull, last_id: idOrNull, has_more: v.boolean() };

export const nativeFilePageSchema = v.object({
  _shape: shapes('native'),
  data: v.array(nativeFileSchema),
  ...page,
  cursor: idOrNull,
});
export const providerAFilePageSchema = v.object({
  _shape: shapes('provider_a'),
  object: v.literal('list'),
  data: v.array(providerAFileSchema),
  ...page,
});
export const providerBFilePageSchema = v.object({
  _shape: shapes('provider_b'),
  data: v.array(providerBFileSchema),
  ...page,
  next_page: idOrNull,
});
export const fileListSchema = v.union([
  nativeFilePageSchema,
  providerAFilePageSchema,
  providerBFilePageSchema,
]);

export const deletedNativeFileSchema = v.object({
  _shape: shapes('native', 'provider_b'),
  id: v.string(),
  type: v.literal('file_deleted'),
});
export const deletedProviderAFileSchema = v.object({
  _shape: shapes('provider_a'),
  id: v.string(),
  object: v.literal('file'),
  deleted: v.literal(true),
});
export const deletedFileSchema = v.union([deletedNativeFileSchema, deletedProviderAFileSchema]);

/** What is shown of a file, wherever it is stored. Files in our own storage can always be downloaded. */
type ShownFile = Omit<ProviderFile, 'downloadable'> & { readonly downloadable?: boolean } & Pick<
    StoredFile,
    'expires_at'
  >;

export function describeFile(
  file: ShownFile,
  { shape, name }: FileDialect,
): v.InferOutput<typeof fileSchema> {
  return shape === 'provider_a' ? providerAFile(file, name) : nativeFile(file, name);
}

export const providerAFile = (file: ShownFile, name: string): v.InferOutput<typeof providerAFileSchema> => ({
  _shape: name,
  id: file.id,
  object: 'file',
  bytes: file.size_bytes,
  created_at: inSeconds(file.created_at),
  filename: file.filename,
  purpose: file.purpose,
  status: 'processed',
  ...defined({ expires_at: file.expires_at === undefined ? undefined : inSeconds(file.expires_at) }),
});

/** Provider B has the same fields. */
const nativeFile = (file: ShownFile, name: string): v.InferOutput<typeof nativeFileSchema> => ({
  _shape: name,
  id: file.id,
  type: 'file',
  filename: file.filename,
  mime_type: file.mime_type,
  size_bytes: file.size_bytes,
  created_at: file.created_at,
  downloadable: file.downloadable ?? true,
  ...defined({ expires_at: file.expires_at }),
});

/** Unix time. */
export const inSeconds = (timestamp: string): number => Math.floor(Date.parse(timestamp) / 1000);

/** A page. The next one begins after its last file; each dialect has its own field for that id. */
export function describeFiles(
  files: readonly ShownFile[],
  hasMore: boolean,
  { shape, name }: FileDialect,
): v.InferOutput<typeof fileListSchema> {
  const lastId = files.at(-1)?.id ?? null;
  const next = hasMore ? lastId : null;
  const place = { first_id: files[0]?.id ?? null, last_id: lastId, has_more: hasMore };
  if (shape === 'provider_a') {
    return { _shape: name, data: files.map((file) => providerAFile(file, name)), ...place, object: 'list' };
  }
  const ours = { _shape: name, data: files.map((file) => nativeFile(file, name)), ...place };
  return shape === 'provider_b' ? { ...ours, next_page: next } : { ...ours, cursor: next };
}

export function describeDeleted(
  id: string,
  { shape, name }: FileDialect,
): v.InferOutput<typeof deletedFileSchema> {
  if (shape === 'provider_a') return { _shape: name, id, object: 'file', deleted: true };
  return { _shape: name, id, type: 'file_deleted' };
}

/**
 * What a download can be compared with. In headers, since the fields of a file are those of three APIs, whose clients
 * know no other.
 */
export function checksumHeaders({ crc32, sha256 }: Partial<StoredFile>): Record<string, string> {
  return defined({ 'x-checksum-crc32': crc32, 'x-checksum-sha256': sha256 });
}
