import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';

export type Operation = 'put' | 'part' | 'create' | 'complete' | 'abort' | 'delete';

/** What goes wrong with a request. */
export type Fault =
  | { readonly kind: 'break'; readonly afterBytes: number }
  | { readonly kind: 'refuse'; readonly status: number; readonly code: string }
  /** The server answers before it reads the body. */
  | { readonly kind: 'refuse at once'; readonly status: number; readonly code: string }
  | { readonly kind: 'lose the answer' }
  | { readonly kind: 'flip a bit' }
  | { readonly kind: 'error in a 200'; readonly code: string }
  /** The server begins to answer, and gives up. */
  | { readonly kind: 'nothing in a 200' }
  | { readonly kind: 'hold'; readonly until: Promise<unknown> }
  | { readonly kind: 'stall' };

export interface S3Call {
  readonly operation: Operation;
  readonly part: number;
  /** Counts the requests of this operation and part, from 1. */
  readonly attempt: number;
  readonly headers: IncomingMessage['headers'];
}

interface StoredPart {
  readonly body: Buffer;
  readonly checksum: string;
}

/** The part of S3 that writes objects and tells which there are, over HTTP, with faults on demand. */
export class S3Server {
  readonly calls: S3Call[] = [];
  readonly objects = new Map<string, Buffer>();
  readonly uploads = new Map<string, Map<number, StoredPart>>();
  fault: (call: S3Call) => Fault | undefined = () => undefined;
  readonly #server: ReturnType<typeof createServer>;
  readonly #protocol: string;

  /** @param certificate with one it is reached over TLS */
  constructor(certificate?: { readonly key: string; readonly cert: string }) {
    // The client may hang up at any moment.
    const serve = (request: IncomingMessage, response: ServerResponse) =>
      void this.#serve(request, response).catch(() => response.destroy());
    this.#server = certificate === undefined ? createServer(serve) : createTlsServer(certificate, serve);
    this.#protocol = certificate === undefined ? 'http' : 'https';
  }

  async listen(): Promise<string> {
    await new Promise<void>((listening) => this.#server.listen(0, '127.0.0.1', listening));
    return `${this.#protocol}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** All bytes that take up room, including the parts of unfinished uploads. */
  get storedBytes(): number {
    const parts = [...this.uploads.values()].flatMap((upload) => [...upload.values()]);
    const bodies = [...this.objects.values(), ...parts.map(({ body }) => body)];
    return bodies.reduce((sum, { length }) => sum + length, 0);
  }

  called(operation: Operation): S3Call[] {
    return this.calls.filter((call) => call.operation === operation);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://s3');
    if (request.method === 'GET') return xml(response, 200, this.#list(`${pathname}${query.get('prefix')}`));
    const operation = operationOf(request.method, query);
    const part = Number(query.get('partNumber') ?? 0);
    const attempt = this.called(operation).filter((call) => call.part === part).length + 1;
    const call = { operation, part, attempt, headers: request.headers };
    this.calls.push(call);
    const fault = this.fault(call);
    if (fault?.kind === 'refuse at once') return refuse(response, fault.status, fault.code);
    if (fault?.kind === 'hold') await fault.until;
    const body = await read(request, fault);
    if (fault?.kind === 'stall') return;
    if (fault?.kind === 'refuse') return refuse(response, fault.status, fault.code);
    if (fault?.kind === 'error in a 200') return xml(response, 200, error(fault.code));
    if (fault?.kind === 'nothing in a 200') return xml(response, 200, '');
    const answer = this.#apply(call, pathname, query, body);
    if (fault?.kind === 'lose the answer') response.destroy();
    else answer(response);
  }

  #list(prefix: string): string {
    const found = [...this.objects.keys()].filter((path) => path.startsWith(prefix));
    const contents = found.map((path) => `<Contents><Key>${path.split('/').at(-1)}</Key></Contents>`);
    return `<ListBucketResult>${contents.join('')}</ListBucketResult>`;
  }

  /** Carries out the call and returns the function that writes the response. */
  #apply(call: S3Call, path: string, query: URLSearchParams, body: Buffer): (to: ServerResponse) => void {
    const id = query.get('uploadId') ?? '';
    const upload = this.uploads.get(id);
    const noSuchUpload = (to: ServerResponse) => refuse(to, 404, 'NoSuchUpload');
    switch (call.operation) {
      case 'put':
      case 'part':
        return this.#receive(call, path, upload, body) ?? noSuchUpload;
      case 'create':
        this.uploads.set(`u${this.called('create').length}`, new Map());
        return (to) => xml(to, 200, begun(`u${this.called('create').length}`));
      case 'complete':
        return this.#complete(call, path, id, body.toString());
      case 'abort':
        return this.uploads.delete(id) ? (to) => to.writeHead(204).end() : noSuchUpload;
      case 'delete':
        this.objects.delete(path);
        return (to) => to.writeHead(204).end();
    }
  }

  #receive(
    { headers, part }: S3Call,
    path: string,
    upload: Map<number, StoredPart> | undefined,
    body: Buffer,
  ) {
    const checksum = checksumOf(body);
    if (headers['x-amz-checksum-crc32'] !== checksum) {
      return (to: ServerResponse) => refuse(to, 400, 'BadDigest');
    }
    if (part === 0) this.objects.set(path, body);
    else if (upload === undefined) return undefined;
    else upload.set(part, { body, checksum });
    return (to: ServerResponse) => to.setHeader('etag', `"${checksum}"`).end();
  }

  #complete({ headers }: S3Call, path: string, id: string, body: string): (to: ServerResponse) => void {
    const done = (to: ServerResponse) => xml(to, 200, COMPLETED);
    const upload = this.uploads.get(id);
    // S3 answers a repeated completion with success, and so does this server.
    if (upload === undefined) return this.objects.has(path) ? done : (to) => refuse(to, 404, 'NoSuchUpload');
    const listed = [...body.matchAll(/<Part>.*?<\/Part>/gs)].map(([part]) => ({
      number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
      checksum: /<ChecksumCRC32>([^<]+)</.exec(part)?.[1],
    }));
    const parts = listed.map(({ number }) => upload.get(number));
    const areRight = listed.every(
      ({ number, checksum }, i) => number === i + 1 && parts[i]?.checksum === checksum,
    );
    if (!areRight || parts.length !== upload.size) return (to) => refuse(to, 400, 'InvalidPart');
    const whole = Buffer.concat(parts.map((part) => part?.body ?? Buffer.alloc(0)));
    if (headers['x-amz-mp-object-size'] !== String(whole.length)) {
      return (to) => refuse(to, 400, 'InvalidRequest');
    }
    this.objects.set(path, whole);
    this.uploads.delete(id);
    return done;
  }
}

function operationOf(method: string | undefined, query: URLSearchParams): Operation {
  if (method === 'POST') return query.has('uploads') ? 'create' : 'complete';
  if (method === 'DELETE') return query.has('uploadId') ? 'abort' : 'delete';
  return query.has('partNumber') ? 'part' : 'put';
}

async function read(request: IncomingMessage, fault: Fault | undefined): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    chunks.push(chunk);
    length += chunk.length;
    if (fault?.kind === 'break' && length >= fault.afterBytes) throw new Error('broken off');
  }
  const body = Buffer.concat(chunks);
  if (fault?.kind === 'flip a bit') body.writeUInt8((body.at(-1) ?? 0) ^ 1, length - 1);
  return body;
}

function checksumOf(body: Buffer): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(body));
  return bytes.toString('base64');
}

const begun = (id: string) =>
  `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`;
const COMPLETED = '<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>';
const error = (code: string) => `<Error><Code>${code}</Code><Message>No</Message></Error>`;
const refuse = (to: ServerResponse, status: number, code: string) => xml(to, status, error(code));
const xml = (to: ServerResponse, status: number, body: string) =>
  void to.writeHead(status, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>${body}`);
