import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { clock } from '../clock.ts';
import { report } from '../reporting.ts';

/**
 * The part of S3 that uploads need, without a disk. It counts the bytes, and keeps only small objects, because some
 * libraries store notes beside a file.
 */
const SMALL = 64 * 1024;
interface Note {
  readonly metadata: Record<string, string>;
  readonly content: Buffer;
}
const notes = new Map<string, Note>();
const parts = new Map<string, number[]>();

/** Every file of the bench begins so, soon behind the beginning of a form or of a signed chunk. */
const SIGNATURE = 'fLaC';
const LONGEST_BEFORE = 256;
let requests = 0;
let fileAt: number | undefined;

function seen() {
  const answer = { requests, fileAt };
  requests = 0;
  fileAt = undefined;
  return answer;
}

await report(
  createServer(async (request, response) => {
    requests++;
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://sink');
    response.setHeader('etag', '"0"');
    if (request.method === 'PUT') return put(request, pathname, searchParams, response);
    await take(request);
    if (request.method === 'POST') return post(pathname, searchParams, response);
    if (request.method === 'GET') return get(pathname, searchParams, response);
    response.writeHead(request.method === 'DELETE' ? 204 : 200).end();
  }),
  seen,
);

async function put(
  request: IncomingMessage,
  path: string,
  query: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  const { bytes, content } = await take(request);
  if (query.has('partNumber')) parts.get(path)?.push(bytes);
  else if (bytes <= SMALL) notes.set(path, { metadata: metadataOf(request), content });
  response.end();
}

/** Returns the first bytes, which are the whole content of a small object. */
async function take(request: IncomingMessage): Promise<{ bytes: number; content: Buffer }> {
  const kept: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (chunk.subarray(0, LONGEST_BEFORE).includes(SIGNATURE)) fileAt ??= clock();
    bytes += chunk.length;
    if (bytes <= SMALL) kept.push(chunk);
  }
  return { bytes, content: Buffer.concat(kept) };
}

function metadataOf({ headers }: IncomingMessage): Record<string, string> {
  const ofObject = Object.entries(headers).filter(([name]) => name.startsWith('x-amz-meta-'));
  return Object.fromEntries(ofObject.map(([name, value]) => [name, String(value)]));
}

function post(path: string, query: URLSearchParams, response: ServerResponse): void {
  const begins = query.has('uploads');
  if (begins) parts.set(path, []);
  const name = begins ? 'InitiateMultipartUploadResult' : 'CompleteMultipartUploadResult';
  xml(response, 200, `<${name}><UploadId>1</UploadId><ETag>"0"</ETag></${name}>`);
}

function get(path: string, query: URLSearchParams, response: ServerResponse): void {
  const note = notes.get(path);
  if (query.has('uploadId')) {
    const listed = (parts.get(path) ?? []).map(
      (size, i) => `<Part><PartNumber>${i + 1}</PartNumber><Size>${size}</Size><ETag>"0"</ETag></Part>`,
    );
    xml(
      response,
      200,
      `<ListPartsResult><IsTruncated>false</IsTruncated>${listed.join('')}</ListPartsResult>`,
    );
  } else if (note === undefined) {
    xml(response, 404, '<Error><Code>NoSuchKey</Code><Message>no such key</Message></Error>');
  } else {
    response.writeHead(200, note.metadata).end(note.content);
  }
}

function xml(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(body);
}
