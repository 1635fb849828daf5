import type { StoredFile } from './file.ts';
import type { Shape } from './shape.ts';

export function describeFile(file: StoredFile, shape: Shape) {
  if (shape === 'provider_a') {
    return {
      _shape: shape,
      id: file.id,
      object: 'file',
      bytes: file.size_bytes,
      created_at: Math.floor(Date.parse(file.created_at) / 1000),
      filename: file.filename,
      purpose: file.purpose,
      status: 'processed',
    };
  }
  return {
    _shape: shape,
    id: file.id,
    type: 'file',
    filename: file.filename,
    mime_type: file.mime_type,
    size_bytes: file.size_bytes,
    created_at: file.created_at,
    downloadable: true,
  };
}

/** A page. The id of its last file is also where the next one goes on, in each dialect's field for that. */
export function describeFiles(files: readonly StoredFile[], hasMore: boolean, shape: Shape) {
  const lastId = files.at(-1)?.id ?? null;
  const next = hasMore ? lastId : null;
  const page = {
    _shape: shape,
    data: files.map((file) => describeFile(file, shape)),
    first_id: files[0]?.id ?? null,
    last_id: lastId,
    has_more: hasMore,
  };
  if (shape === 'provider_a') return { ...page, object: 'list' };
  return shape === 'provider_b' ? { ...page, next_page: next } : { ...page, cursor: next };
}

export function describeDeleted(id: string, shape: Shape) {
  if (shape === 'provider_a') return { _shape: shape, id, object: 'file', deleted: true };
  return { _shape: shape, id, type: 'file_deleted' };
}
