import type { StoredFile } from './file.ts';

/** A file in the service's own shape. */
export function describeFile(file: StoredFile) {
  return {
    _shape: 'native',
    id: file.id,
    type: 'file',
    filename: file.filename,
    mime_type: file.mime_type,
    size_bytes: file.size_bytes,
    created_at: file.created_at,
    downloadable: true,
  };
}
