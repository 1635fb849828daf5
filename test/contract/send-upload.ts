import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { stage } from './stage.ts';

const HEAD = Buffer.from(
  '--frontier\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n',
);
const TAIL = Buffer.from('\r\n--frontier--\r\n');
const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');

/** The size of the form around the file, in bytes. */
export const FRAMING = HEAD.length + TAIL.length;

/** A file of any size, in chunks: a PNG if its signature fits, otherwise text. */
export function* fileOf(size: number): Generator<Buffer> {
  const first = size < 64 ? Buffer.alloc(size, 'x') : PNG_SIGNATURE;
  yield first;
  const block = Buffer.alloc(65_536, 0x5a);
  for (let left = size - first.length; left > 0; left -= block.length) yield block.subarray(0, left);
}

function* formOf(size: number): Generator<Buffer> {
  yield HEAD;
  yield* fileOf(size);
  yield TAIL;
}

export interface UploadOptions {
  readonly url: string;
  readonly key: string;
  readonly size: number;
  /** Chunked transfer coding, which does not state the length in advance. */
  readonly chunked: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

function open({ url, key, size, chunked, headers: more }: UploadOptions) {
  const headers = {
    ...more,
    authorization: `Bearer ${key}`,
    'content-type': 'multipart/form-data; boundary=frontier',
    // Uploads that bypass the edge on purpose need its secret.
    'x-genway-edge': stage.edgeSecret,
  };
  const length = chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': size + FRAMING };
  return request(url, { method: 'POST', headers: { ...headers, ...length }, agent: false });
}

/** Sends a file of this size as far as the server reads it, and returns the answer. */
export async function sendUpload(options: UploadOptions) {
  const outgoing = open(options);
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  // The server may answer before the body ends, and then close the connection.
  const sent = pipeline(Readable.from(formOf(options.size)), outgoing).catch(() => undefined);
  const [answer] = await answered;
  const body = JSON.parse(await text(answer));
  if ((answer.statusCode ?? 0) >= 400) outgoing.destroy();
  await sent;
  return { status: answer.statusCode, headers: answer.headers, body };
}

/** Sends this many bytes of the body, waits for `meanwhile`, and hangs up. */
export async function breakOffUpload(
  options: UploadOptions,
  after: number,
  meanwhile: () => Promise<void>,
): Promise<void> {
  const outgoing = open(options).on('error', () => undefined);
  let left = after;
  for (const block of formOf(options.size)) {
    const piece = block.subarray(0, left);
    await new Promise((resolve) => outgoing.write(piece, resolve));
    left -= piece.length;
    if (left === 0) break;
  }
  await meanwhile();
  outgoing.destroy();
}
