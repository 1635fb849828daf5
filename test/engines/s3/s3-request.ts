import { text } from 'node:stream/consumers';
import { HttpRequest } from '@smithy/core/protocols';
import type { EngineHandler } from '../network.ts';
import { NotInEngine, ServiceError } from '../service.ts';

export interface S3Request {
  readonly operation: string;
  readonly bucket: string;
  readonly key: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Headers that the engine handles or may ignore. Any other header would need an effect. */
const KNOWN_HEADERS =
  /^(x-amz-(content-sha256|date|user-agent|security-token|sdk-checksum-algorithm|checksum-(mode|crc32|sha256)|meta-.+)|amz-sdk-.+|user-agent|host|authorization|content-(length|type|disposition|md5)|expect|transfer-encoding)$/;
const KNOWN_QUERY = /^(x-id|delete|list-type|prefix|max-keys|continuation-token)$/;

const OPERATIONS: Readonly<Record<string, string>> = {
  'PUT bucket': 'CreateBucket',
  'GET bucket': 'ListObjectsV2',
  'POST bucket delete': 'DeleteObjects',
  'PUT object': 'PutObject',
  'GET object': 'GetObject',
  'DELETE object': 'DeleteObject',
};

/** The request without its body, which S3 may refuse for several reasons. @throws NotInEngine */
export function readHead(request: HttpRequest): Omit<S3Request, 'body'> {
  const [bucket = '', ...rest] = request.path.slice(1).split('/').map(decodeURIComponent);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const query = Object.fromEntries(
    Object.entries(request.query ?? {}).map(([name, value]) => [name, value === null ? '' : String(value)]),
  );
  const key = rest.join('/');
  assertKnown(headers, KNOWN_HEADERS, 'header');
  assertKnown(query, KNOWN_QUERY, 'parameter');
  const target = `${request.method} ${key === '' ? 'bucket' : 'object'}${'delete' in query ? ' delete' : ''}`;
  const operation = OPERATIONS[target];
  if (operation === undefined) throw new NotInEngine(`The s3 engine has no ${target}`);
  return { operation, bucket, key, query, headers };
}

function assertKnown(given: Record<string, string>, known: RegExp, what: string): void {
  const unknown = Object.keys(given).find((name) => !known.test(name));
  if (unknown !== undefined) throw new NotInEngine(`The s3 engine does not know the ${what} ${unknown}`);
}

/** @throws ServiceError, NotInEngine */
export async function readBody(
  { body }: HttpRequest,
  { headers }: Pick<S3Request, 'headers'>,
): Promise<Buffer> {
  const bytes = await bytesOf(body);
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  if (encoding === 'chunked' || (length === undefined && bytes.length > 0)) {
    throw new ServiceError('MissingContentLength', 'You must provide the Content-Length HTTP header.', 411);
  }
  if (length !== undefined && Number(length) !== bytes.length) {
    throw new ServiceError(
      'IncompleteBody',
      'You did not provide the number of bytes specified by the Content-Length HTTP header.',
    );
  }
  return bytes;
}

async function bytesOf(body: unknown): Promise<Buffer> {
  if (body === undefined || body === null) return Buffer.alloc(0);
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (!isStream(body)) throw new NotInEngine('The s3 engine takes text, bytes and streams');
  return Buffer.concat(await Array.fromAsync(body));
}

const isStream = (body: unknown): body is AsyncIterable<Uint8Array> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

interface PlainRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: readonly Uint8Array[];
}

/** Connects to the engine the code that calls S3 without the SDK. */
export const exchangeThrough =
  (handler: EngineHandler) =>
  async ({ method, url, headers, chunks }: PlainRequest, _: unknown, abortSignal: AbortSignal) => {
    const request = new HttpRequest({
      method,
      hostname: url.hostname,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: { ...headers },
      body: Buffer.concat(chunks),
    });
    const { response } = await handler.handle(request, { abortSignal });
    const { statusCode: status, headers: answered, body } = response;
    return { status, etag: answered.etag, text: await text(body ?? []) };
  };
