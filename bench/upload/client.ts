import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

export const SIZE = 100 * 1024 ** 2;
const BOUNDARY = 'frontier';
const BLOCK = 1024 ** 2;

export interface Upload {
  /** A form, or bare as tus expects. */
  readonly isForm: boolean;
  /** @default 100 MiB */
  readonly size?: number;
  /** @default bytes of all values */
  readonly blocks?: Blocks;
  readonly boundary?: string;
  /** Does not tell how long the body is, and takes a connection of its own. */
  readonly isLengthUnknown?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a file holds: blocks that repeat, so that the client needs almost no CPU. The first begins like FLAC. */
export interface Blocks {
  readonly first: Buffer;
  readonly others: Buffer;
}

export function blocksOf(pattern: Uint8Array): Blocks {
  const others = Buffer.alloc(BLOCK, pattern);
  const first = Buffer.from(others);
  first.write('fLaC');
  return { first, others };
}

export const ORDINARY = blocksOf(Uint8Array.from({ length: BLOCK }, (_, i) => (i * 7919 + (i >> 8)) & 0xff));

const headOf = (boundary: string) =>
  Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a"\r\ncontent-type: audio/flac\r\n\r\n`,
  );
const tailOf = (boundary: string) => Buffer.from(`\r\n--${boundary}--\r\n`);

function* body({ isForm, size = SIZE, blocks = ORDINARY, boundary = BOUNDARY }: Upload): Generator<Buffer> {
  if (isForm) yield headOf(boundary);
  yield blocks.first.subarray(0, size);
  for (let sent = BLOCK; sent < size; sent += BLOCK) yield blocks.others.subarray(0, size - sent);
  if (isForm) yield tailOf(boundary);
}

const agent = new Agent({ keepAlive: true });

/** The digest of every upload's file, in base64. */
export function sha256(): string {
  const hash = createHash('sha256');
  for (const block of body({ isForm: false })) hash.update(block);
  return hash.digest('base64');
}

function kindOf({ isForm, size = SIZE, boundary = BOUNDARY, isLengthUnknown }: Upload) {
  if (isForm) return { 'content-type': `multipart/form-data; boundary=${boundary}` };
  const length = isLengthUnknown ? { 'upload-defer-length': '1' } : { 'upload-length': String(size) };
  return { 'content-type': 'application/offset+octet-stream', 'tus-resumable': '1.0.0', ...length };
}

function lengthOf({ isForm, size = SIZE, boundary = BOUNDARY, isLengthUnknown }: Upload) {
  if (isLengthUnknown) return { 'transfer-encoding': 'chunked' };
  return { 'content-length': size + (isForm ? headOf(boundary).length + tailOf(boundary).length : 0) };
}

/** @returns the milliseconds until the complete response */
export async function upload(port: number, what: Upload): Promise<number> {
  const begun = performance.now();
  const outgoing = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/api/v1/files',
    agent: what.isLengthUnknown ? false : agent,
    headers: { authorization: 'Bearer none', ...kindOf(what), ...what.headers, ...lengthOf(what) },
  });
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  await pipeline(Readable.from(body(what)), outgoing);
  const [answer] = await answered;
  const said = await text(answer);
  if ((answer.statusCode ?? 500) >= 300) throw new Error(`${answer.statusCode}: ${said}`);
  return performance.now() - begun;
}

/** Declares more than any file may have and sends no bytes. @returns the milliseconds until the refusal */
export async function declareTooMuch(port: number): Promise<number> {
  const begun = performance.now();
  const outgoing = request({
    ...{ port, host: '127.0.0.1', method: 'POST', path: '/api/v1/files', agent: false },
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'content-length': SIZE * 1.5 },
  });
  outgoing.flushHeaders();
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  const milliseconds = performance.now() - begun;
  outgoing.on('error', () => undefined).destroy();
  if (answer.statusCode !== 413) throw new Error(`not refused: ${answer.statusCode}`);
  return milliseconds;
}
