import type { StoredFile } from '../api/types.ts';

/** More is not shown: the whole file would be loaded for it. */
const LARGEST_PREVIEW = 10 * 1024 ** 2;
const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/**
 * How a file may be shown. Text is shown as text, whatever it says it is; images and sounds are decoded and never run.
 * Documents are not shown: a browser would run a viewer over them.
 */
export function previewKind({
  mime_type,
  size_bytes,
}: Pick<StoredFile, 'mime_type' | 'size_bytes'>): 'image' | 'audio' | 'text' | undefined {
  if (size_bytes > LARGEST_PREVIEW) return undefined;
  if (IMAGES.has(mime_type)) return 'image';
  if (mime_type.startsWith('audio/')) return 'audio';
  if (
    mime_type.startsWith('text/') ||
    mime_type === 'application/json' ||
    mime_type === 'application/x-ndjson'
  ) {
    return 'text';
  }
  return undefined;
}
