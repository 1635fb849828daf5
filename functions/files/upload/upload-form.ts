import type { Readable } from 'node:stream';
import type { ByteSink } from '../../byte-sink.ts';
import { type FilePart, FormReader, type UploadForm } from './form-reader.ts';
import { readBoundary } from './multipart/boundary.ts';
import { readBody } from './read-body.ts';

/**
 * Reads a multipart body as it arrives and hands its one `file` part to the sink that `begin` gives for it. That
 * sink is ended only behind the closing delimiter: a file whose form was cut off is not a file. Settles only after
 * the sink has.
 * @throws InvalidRequest for a body that is not such a form, PayloadTooLarge, or what the sink throws
 */
export async function readUploadForm<Received>(
  body: Readable,
  contentType: string | undefined,
  begin: (part: FilePart) => ByteSink<Received>,
): Promise<UploadForm<Received>> {
  // What befalls it when nobody reads any more must not end the process.
  body.on('error', () => undefined);
  const form = new FormReader(readBoundary(contentType), begin);
  try {
    await readBody(body, (chunk) => form.take(chunk));
    return await form.finish();
  } catch (error) {
    await form.abandon(error);
    throw error;
  }
}
