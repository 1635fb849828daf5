import type { Readable } from 'node:stream';
import { InvalidRequest } from '../../http/errors.ts';
import { FormReader } from './form-reader.ts';
import { readBoundary } from './multipart/boundary.ts';
import { MultipartScanner } from './multipart/multipart-scanner.ts';

/** Purposes that one of the response shapes shows; kept as sent. */
const PURPOSES = [
  'assistants',
  'batch',
  'fine-tune',
  'vision',
  'user_data',
  'evals',
  'assistants_output',
  'batch_output',
  'fine-tune-results',
];
const DEFAULT_PURPOSE = 'user_data';

export interface UploadForm<Received> {
  readonly filename: string;
  readonly purpose: string;
  readonly file: Received;
}

/**
 * Reads a multipart body as it arrives and hands its one `file` part to `receive`. Resolves only after
 * the closing delimiter: a file whose form was cut off is not a file. Settles only after `receive` has.
 * @throws InvalidRequest for a body that is not such a form.
 */
export async function readUploadForm<Received>(
  body: Readable,
  contentType: string | undefined,
  receive: (file: Readable) => Promise<Received>,
): Promise<UploadForm<Received>> {
  const scanner = new MultipartScanner(readBoundary(contentType));
  const form = new FormReader(receive);
  try {
    for await (const chunk of body) {
      for (const event of scanner.push(chunk)) await form.take(event);
    }
    scanner.end();
    const { purpose = DEFAULT_PURPOSE, ...read } = await form.finish();
    return { ...read, purpose: checkedPurpose(purpose) };
  } catch (error) {
    await form.abandon(error);
    throw error;
  }
}

function checkedPurpose(purpose: string): string {
  if (PURPOSES.includes(purpose)) return purpose;
  throw new InvalidRequest(`purpose: must be one of ${PURPOSES.join(', ')}`, {
    metadata: { path: 'purpose', supported: PURPOSES },
  });
}
