import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

export const SIZE = 100 * 1024 ** 2;

const BOUNDARY = 'frontier';
const HEAD = Buffer.from(
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a"\r\ncontent-type: audio/flac\r\n\r\n`,
);
const TAIL = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
const BLOCK = 1024 ** 2;

/** Blocks that repeat, so that the client needs almost no CPU; the first begins like FLAC. */
function blocks(): { first: Buffer; others: Buffer } {
  const others = Buffer.alloc(BLOCK);
  for (let i = 0; i < others.length; i++) others[i] = (i * 7919 + (i >> 8)) & 0xff;
  const first = Buffer.from(others);
  first.write('fLaC');
  return { first, others };
}
const { first, others } = blocks();

function* body(isForm: boolean): Generator<Buffer> {
  if (isForm) yield HEAD;
  yield first;
  for (let sent = BLOCK; sent < SIZE; sent += BLOCK) yield others;
  if (isForm) yield TAIL;
}

const agent = new Agent({ keepAlive: true });

/** The digest of every upload's file, in base64. */
export function sha256(): string {
  const hash = createHash('sha256');
  for (const block of body(false)) hash.update(block);
  return hash.digest('base64');
}

/** Uploads 100 MiB as a form, or bare as tus expects. @returns the milliseconds until the complete response */
export async function upload(
  port: number,
  isForm: boolean,
  more: Readonly<Record<string, string>> = {},
): Promise<number> {
  const framing = isForm ? HEAD.length + TAIL.length : 0;
  const kind = isForm
    ? { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
    : { 'content-type': 'application/offset+octet-stream', 'tus-resumable': '1.0.0', 'upload-length': SIZE };
  const begun = performance.now();
  const outgoing = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/api/v1/files',
    agent,
    headers: { authorization: 'Bearer none', ...kind, ...more, 'content-length': SIZE + framing },
  });
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  await pipeline(Readable.from(body(isForm)), outgoing);
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
