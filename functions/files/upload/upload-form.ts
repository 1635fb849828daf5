import type { Readable } from 'node:stream';
import { type FilePart, FormReader, type UploadForm } from './form-reader.ts';
import { readBoundary } from './multipart/boundary.ts';
import { MultipartScanner } from './multipart/multipart-scanner.ts';

/**
 * Reads a multipart body as it arrives and hands its one `file` part to `receive`. Resolves only after
 * the closing delimiter: a file whose form was cut off is not a file. Settles only after `receive` has.
 * @throws InvalidRequest for a body that is not such a form.
 */
export async function readUploadForm<Received>(
  body: Readable,
  contentType: string | undefined,
  receive: (file: Readable, part: FilePart) => Promise<Received>,
): Promise<UploadForm<Received>> {
  const scanner = new MultipartScanner(readBoundary(contentType));
  const form = new FormReader(receive);
  try {
    for await (const chunk of body) {
      for (const event of scanner.push(chunk)) await form.take(event);
    }
    scanner.end();
    return await form.finish();
  } catch (error) {
    await form.abandon(error);
    throw error;
  }
}
