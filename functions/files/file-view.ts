import { defined } from '../defined.ts';
import type { StoredFile } from './file.ts';
import type { ProviderFile } from './providers/file-provider.ts';
import type { Dialect } from './shape.ts';

/** What is shown of a file, wherever it is stored. Files in our own storage can always be downloaded. */
export type ShownFile = Omit<ProviderFile, 'downloadable'> & { readonly downloadable?: boolean } & Pick<
    StoredFile,
    'expires_at'
  >;

export function describeFile(file: ShownFile, { shape, name }: Dialect) {
  if (shape === 'provider_a') {
    return {
      _shape: name,
      id: file.id,
      object: 'file',
      bytes: file.size_bytes,
      created_at: inSeconds(file.created_at),
      filename: file.filename,
      purpose: file.purpose,
      status: 'processed',
      ...defined({ expires_at: file.expires_at && inSeconds(file.expires_at) }),
    };
  }
  return {
    _shape: name,
    id: file.id,
    type: 'file',
    filename: file.filename,
    mime_type: file.mime_type,
    size_bytes: file.size_bytes,
    created_at: file.created_at,
    downloadable: file.downloadable ?? true,
    ...defined({ expires_at: file.expires_at }),
  };
}

/** Unix time. */
const inSeconds = (timestamp: string): number => Math.floor(Date.parse(timestamp) / 1000);

/** A page. The next one begins after its last file; each dialect has its own field for that id. */
export function describeFiles(files: readonly ShownFile[], hasMore: boolean, dialect: Dialect) {
  const { shape, name } = dialect;
  const lastId = files.at(-1)?.id ?? null;
  const next = hasMore ? lastId : null;
  const page = {
    _shape: name,
    data: files.map((file) => describeFile(file, dialect)),
    first_id: files[0]?.id ?? null,
    last_id: lastId,
    has_more: hasMore,
  };
  if (shape === 'provider_a') return { ...page, object: 'list' };
  return shape === 'provider_b' ? { ...page, next_page: next } : { ...page, cursor: next };
}

export function describeDeleted(id: string, { shape, name }: Dialect) {
  if (shape === 'provider_a') return { _shape: name, id, object: 'file', deleted: true };
  return { _shape: name, id, type: 'file_deleted' };
}
