import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { InvalidRequest } from '../../http/errors.ts';

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

const MAX_PARTS = 64;
const MAX_PART_HEADER = 16 * 1024;
const MAX_FIELD = 64 * 1024;

export interface UploadForm<Received> {
  readonly filename: string;
  readonly purpose: string;
  readonly file: Received;
}

/**
 * Reads a multipart body as it arrives and hands its one `file` part to `receive`. Resolves only after
 * the closing boundary: a file whose form was cut off is not a file. Settles only after `receive` has.
 * @throws InvalidRequest for a body that is not such a form.
 */
export async function readUploadForm<Received>(
  body: Readable,
  contentType: string | undefined,
  receive: (file: Readable) => Promise<Received>,
): Promise<UploadForm<Received>> {
  const parser = createParser(contentType);
  const fields = { purpose: DEFAULT_PURPOSE, filename: '' };
  let part: Readable | undefined;
  let received: Promise<Received> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (message: string, cause?: unknown) => reject(new InvalidRequest(message, { cause }));
      parser.on('file', (name, file, filename) => {
        if (name !== 'file') return void file.resume();
        if (part !== undefined) return fail('The form must hold one part named file, not several');
        part = file;
        fields.filename = filename;
        received = receive(file);
        received.catch(reject);
      });
      parser.on('field', (name, value) => {
        if (name === 'purpose') fields.purpose = value;
        if (name === 'file') fail('The part named file must be a file: give it a filename');
      });
      parser.on('partsLimit', () => fail(`The form must hold at most ${MAX_PARTS} parts`));
      parser.on('error', (cause) => fail('The multipart body is malformed or incomplete', cause));
      parser.on('finish', resolve);
      body.on('error', reject);
      body.pipe(parser);
    });
    if (received === undefined) throw new InvalidRequest('The form must hold one part named file');
    return { ...checked(fields), file: await received };
  } catch (error) {
    body.unpipe(parser);
    part?.destroy(new Error('the form was refused', { cause: error }));
    await received?.catch(() => undefined);
    throw error;
  }
}

function checked<Fields extends { purpose: string }>(fields: Fields): Fields {
  if (PURPOSES.includes(fields.purpose)) return fields;
  throw new InvalidRequest(`purpose: must be one of ${PURPOSES.join(', ')}`, {
    metadata: { path: 'purpose', supported: PURPOSES },
  });
}

function createParser(contentType: string | undefined): InstanceType<typeof Busboy> {
  if (contentType === undefined || !/^multipart\/form-data\b/i.test(contentType)) {
    throw new InvalidRequest('The body must be multipart/form-data with one part named file');
  }
  const headers: BusboyHeaders = { 'content-type': contentType };
  const limits = { parts: MAX_PARTS, headerSize: MAX_PART_HEADER, fieldSize: MAX_FIELD };
  try {
    const isPartAFile = (_name?: string, _type?: string, filename?: string) => filename !== undefined;
    return new Busboy({ headers, limits, isPartAFile, preservePath: true });
  } catch (cause) {
    throw new InvalidRequest('The content-type must name the boundary of the multipart body', { cause });
  }
}
