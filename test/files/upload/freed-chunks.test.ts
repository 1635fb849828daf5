import { createHash } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ObjectRequests } from '../../../functions/aws/object-upload/object-requests.ts';
import { ObjectUploads } from '../../../functions/aws/object-upload/object-upload.ts';
import { BlockPool } from '../../../functions/aws/object-upload/part.ts';
import { UPLOAD_PACE } from '../../../functions/fair-shares.ts';
import { receiveFile } from '../../../functions/files/upload/receive-file.ts';
import { StreamedFile } from '../../../functions/files/upload/streamed-file.ts';
import { readUploadForm } from '../../../functions/files/upload/upload-form.ts';
import { S3Server } from '../../aws/object-upload/s3-server.ts';
import { detect } from '../type-detection/detect.ts';
import { accepted, fixture } from '../type-detection/file-fixtures.ts';
import { TEXTS } from '../type-detection/text-samples.ts';
import { memoryPorts } from './memory-ports.ts';

const BOUNDARY = 'frontier';
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
const BLOCK = 3_000;
const MOST_CHUNKS = 1_000;

const server = new S3Server();
let uploads: ObjectUploads;
beforeAll(async () => {
  const role = {
    ...{ endpoint: await server.listen(), region: 'us-east-1' },
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  };
  // Parts of several blocks, the last one in part; all uploads fill the same blocks again.
  uploads = new ObjectUploads(
    new ObjectRequests(role),
    { partBytes: 10_000 },
    new BlockPool(BLOCK, 20 * BLOCK),
  );
});
afterAll(() => server.close());

/** Of every type, and with bytes at which a scanner must wait for the next chunk. */
const contents = fc.oneof(
  fc.constantFrom(...accepted).map((name) => fixture(`accepted/${name}`)),
  fc.constantFrom(...Object.values(TEXTS).flat()).map((text) => Buffer.from(text)),
  fc
    .array(fc.constantFrom('\r', '\r\n--', `\r\n--${BOUNDARY.slice(0, -1)}`, '日本語', '\u{1f600}', 'word '))
    .map((pieces) => Buffer.from(`x${pieces.join('')}`)),
);
/** Names and fields whose bytes a reader must put together. */
const fields = fc.record({
  filename: fc.constantFrom('a.txt', 'naïve 日本語.bin', 'x'.repeat(200)),
  purpose: fc.constantFrom('batch', 'fine-tune', 'assistants_output'),
  isPurposeFirst: fc.boolean(),
  preamble: fc.constantFrom('', 'preamble\r\n', '\r\n--fron\r\n'),
  padding: fc.constantFrom('', ' \t '),
});
type Fields = typeof fields extends fc.Arbitrary<infer T> ? T : never;
/** Used again and again: single bytes, a few, and as many as a socket gives. */
const chunkLengths = fc.array(
  fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 20_000 })),
  { minLength: 1, maxLength: 10 },
);

function formOf(content: Buffer, { filename, purpose, isPurposeFirst, preamble, padding }: Fields): Buffer {
  const open = `--${BOUNDARY}${padding}\r\ncontent-disposition: form-data; `;
  const digest = createHash('sha256').update(content).digest('base64');
  const field = Buffer.from(`${open}name="purpose"\r\n\r\n${purpose}\r\n`);
  const file = Buffer.concat([
    Buffer.from(`${open}name="file"; filename="${filename}"\r\nx-checksum-sha256: ${digest}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ]);
  const parts = isPurposeFirst ? [field, file] : [file, field];
  return Buffer.concat([Buffer.from(preamble), ...parts, Buffer.from(`--${BOUNDARY}--${padding}\r\n`)]);
}

/** Each of its own memory, as a socket gives them. */
function chunksOf(body: Buffer, lengths: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; at += chunks.at(-1)?.length ?? 0) {
    // The rest of a large file would come in tens of thousands of chunks.
    const length = chunks.length < MOST_CHUNKS ? lengths[chunks.length % lengths.length] : undefined;
    chunks.push(Buffer.from(Uint8Array.from(body.subarray(at, at + (length ?? body.length))).buffer));
  }
  return chunks;
}

const lengthsOf = (chunks: readonly Buffer[]) => new Set(chunks.map(({ length }) => length));
const FREED = new Set([0]);

describe('a body whose chunks are freed as soon as they were taken', () => {
  test('becomes the object and the row that its bytes say', async () => {
    await fc.assert(
      fc.asyncProperty(contents, fields, chunkLengths, async (content, said, lengths) => {
        const chunks = chunksOf(formOf(content, said), lengths);
        const { ports, log, rows } = memoryPorts();
        const objects = {
          ...ports.objects,
          put: (key: string) => uploads.begin({ bucket: 'bucket', key, contentType: 'any' }),
        };
        const { id } = await receiveFile(
          {
            body: Readable.from(chunks),
            contentType: TYPE,
            pace: UPLOAD_PACE,
            workspaceId: 'w',
            conditions: () => ({}),
            log,
          },
          { ...ports, objects },
        );
        expect(rows).toMatchObject([
          {
            filename: said.filename,
            purpose: said.purpose,
            size_bytes: content.length,
            mime_type: await detect(content),
            sha256: createHash('sha256').update(content).digest('base64'),
          },
        ]);
        expect(server.objects.get(`/bucket/w/${id}`)?.equals(content)).toBe(true);
        expect(lengthsOf(chunks)).toEqual(FREED);
      }),
      { numRuns: 100 },
    );
  });

  test('reaches a provider whole, even one that reads late', async () => {
    await fc.assert(
      fc.asyncProperty(contents, fields, chunkLengths, async (content, said, lengths) => {
        const chunks = chunksOf(formOf(content, said), lengths);
        const form = await readUploadForm(
          { body: Readable.from(chunks), contentType: TYPE, pace: UPLOAD_PACE },
          () =>
            new StreamedFile(async (file) => {
              await turn();
              return buffer(file.pipe(new PassThrough()));
            }),
        );
        expect(form).toMatchObject({ filename: said.filename, purpose: said.purpose });
        expect(form.file.equals(content)).toBe(true);
        expect(lengthsOf(chunks)).toEqual(FREED);
      }),
      { numRuns: 100 },
    );
  });
});
