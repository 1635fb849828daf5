import type { Readable } from 'node:stream';
import type { ByteSink } from '../../byte-sink.ts';
import type { Pace } from '../../fair-shares.ts';
import type { Warn } from '../../http/unknown-names.ts';
import type { ClaimedDigest } from './claimed-digests.ts';
import { type FilePart, FormReader, type UploadForm } from './form-reader.ts';
import { readBoundary } from './multipart/boundary.ts';
import { readBody } from './read-body.ts';

export interface IncomingForm {
  readonly body: Readable;
  readonly contentType: string | undefined;
  /** What the request's headers say of its file. */
  readonly claims?: readonly ClaimedDigest[];
  /** At which the body must come; any, where it is here already. */
  readonly pace?: Pace | undefined;
  /** Told of parts that nothing reads. @default nobody is */
  readonly warn?: Warn;
}

/**
 * Reads a multipart body as it arrives and hands its one `file` part to the sink that `begin` gives for it. That
 * sink is ended only behind the closing delimiter: a file whose form was cut off is not a file. Settles only after
 * the sink has.
 * @throws InvalidRequest for a body that is not such a form, PayloadTooLarge, or what the sink throws
 */
export async function readUploadForm<Received>(
  { body, contentType, claims = [], pace, warn = () => undefined }: IncomingForm,
  begin: (part: FilePart) => ByteSink<Received>,
): Promise<UploadForm<Received>> {
  // What befalls it when nobody reads any more must not end the process.
  body.on('error', () => undefined);
  const form = new FormReader(readBoundary(contentType), begin, { claims, warn });
  try {
    await readBody(body, (chunk) => form.take(chunk), { pace });
    return await form.finish();
  } catch (error) {
    await form.abandon(error);
    throw error;
  }
}
