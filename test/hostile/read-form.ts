import type { Readable } from 'node:stream';
import type { StoredFile } from '../../functions/files/file.ts';
import { IncomingFile } from '../../functions/files/upload/receive-file.ts';
import { readUploadForm, type UploadForm } from '../../functions/files/upload/upload-form.ts';

const NOWHERE = { write: () => undefined, end: async () => ({ crc32: '' }), abort: async () => undefined };

/** Reads a form with the boundary `b` like the upload server, but stores nothing. */
export function readForm(body: Readable): Promise<UploadForm<Pick<StoredFile, 'size_bytes' | 'mime_type'>>> {
  const form = { body, contentType: 'multipart/form-data; boundary=b' };
  return readUploadForm(form, () => new IncomingFile(NOWHERE, (removal) => removal));
}
