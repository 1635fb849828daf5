import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type HttpRequest, HttpResponse } from '@smithy/core/protocols';
import { NotInEngine, type Order, type Service, ServiceError } from '../service.ts';
import { readBody, readHead, type S3Request } from './s3-request.ts';

interface StoredObject {
  readonly body: Buffer;
  readonly etag: string;
  readonly modifiedAt: Date;
  /** The headers that every reader gets, such as type and metadata. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Bucket {
  readonly name: string;
  readonly objects: Map<string, StoredObject>;
}

const MOST_KEYS = 1000;

/** The part of S3 that Genway uses, in memory: whole objects and lists of them. */
export class S3Engine implements Service {
  readonly name = 's3';
  readonly throttling = new ServiceError('SlowDown', 'Please reduce your request rate.', 503);
  readonly #buckets = new Map<string, Bucket>();
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  async read(request: HttpRequest): Promise<Order> {
    const head = readHead(request);
    const [body] = await Promise.allSettled([readBody(request, head)]);
    const { operation, bucket: Bucket, key: Key, query, headers } = head;
    const perform = () => {
      if (body.status === 'rejected') throw body.reason;
      return this.#perform({ ...head, body: body.value });
    };
    return { operation, input: { Bucket, Key, query, headers }, perform };
  }

  refuse({ code, message, status }: ServiceError): HttpResponse {
    const body = Buffer.from(xml({ Error: { Code: code, Message: message } }));
    return new HttpResponse({ statusCode: status, headers: { 'content-type': 'application/xml' }, body });
  }

  createBucket(name: string): Bucket {
    const bucket = { name, objects: new Map() };
    this.#buckets.set(name, bucket);
    return bucket;
  }

  /** Undefined if no such bucket exists. */
  bucket = (name: string): Bucket | undefined => this.#buckets.get(name);

  #perform(request: S3Request): HttpResponse {
    if (request.operation === 'CreateBucket') {
      this.createBucket(request.bucket);
      return new HttpResponse({ statusCode: 200, headers: { location: `/${request.bucket}` } });
    }
    const bucket = this.#buckets.get(request.bucket);
    if (bucket === undefined) {
      throw new ServiceError('NoSuchBucket', 'The specified bucket does not exist', 404);
    }
    switch (request.operation) {
      case 'PutObject':
        return putObject(bucket, request, this.#now());
      case 'GetObject':
        return getObject(bucket, request);
      case 'DeleteObject':
        bucket.objects.delete(request.key);
        return new HttpResponse({ statusCode: 204 });
      case 'DeleteObjects':
        return deleteObjects(bucket, request);
      case 'ListObjectsV2':
        return listObjects(bucket, request);
      default:
        throw new NotInEngine(`The s3 engine has no ${request.operation}`);
    }
  }
}

function putObject({ objects }: Bucket, { key, headers, body }: S3Request, modifiedAt: Date): HttpResponse {
  assertChecksums(headers, body);
  const kept = Object.entries(headers).filter(([name]) =>
    /^(content-(type|disposition)|x-amz-meta-.+)$/.test(name),
  );
  const etag = `"${digest('md5', body, 'hex')}"`;
  const described = { 'content-type': 'binary/octet-stream', ...Object.fromEntries(kept) };
  objects.set(key, { body, etag, modifiedAt, headers: described });
  return new HttpResponse({ statusCode: 200, headers: { etag } });
}

const digest = (algorithm: string, bytes: Buffer, encoding: 'hex' | 'base64') =>
  createHash(algorithm).update(bytes).digest(encoding);

const CHECKSUMS: Readonly<Record<string, (bytes: Buffer) => string>> = {
  'content-md5': (bytes) => digest('md5', bytes, 'base64'),
  'x-amz-checksum-sha256': (bytes) => digest('sha256', bytes, 'base64'),
  'x-amz-checksum-crc32': (bytes) => {
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(bytes));
    return sum.toString('base64');
  },
};

/** @returns how many checksums the request has @throws ServiceError if one does not match the body */
function assertChecksums(headers: S3Request['headers'], body: Buffer): number {
  const given = Object.entries(CHECKSUMS).filter(([name]) => headers[name] !== undefined);
  const wrong = given.find(([name, sumOf]) => headers[name] !== sumOf(body));
  if (wrong === undefined) return given.length;
  throw new ServiceError('BadDigest', `The ${wrong[0]} you specified did not match what we received.`);
}

function getObject({ objects }: Bucket, { key }: S3Request): HttpResponse {
  const object = objects.get(key);
  if (object === undefined) throw new ServiceError('NoSuchKey', 'The specified key does not exist.', 404);
  const { body, etag, modifiedAt } = object;
  const headers = {
    ...object.headers,
    'content-length': String(body.length),
    'last-modified': modifiedAt.toUTCString(),
    etag,
  };
  return new HttpResponse({ statusCode: 200, headers, body: Readable.from([body]) });
}

/** Deleting an object that does not exist succeeds too. @throws ServiceError */
function deleteObjects({ objects }: Bucket, { headers, body }: S3Request): HttpResponse {
  if (assertChecksums(headers, body) === 0) {
    throw new ServiceError('InvalidRequest', 'Missing required header for this request: a checksum');
  }
  const document = body.toString();
  const keys = textsOf(document, 'Key');
  if (keys.length === 0 || keys.length > MOST_KEYS) {
    throw new ServiceError('MalformedXML', 'The XML you provided was not well-formed');
  }
  for (const key of keys) objects.delete(key);
  const isQuiet = textsOf(document, 'Quiet')[0] === 'true';
  return xmlAnswer({ DeleteResult: isQuiet ? {} : { Deleted: keys.map((Key) => ({ Key })) } });
}

/** In the order of their bytes. The continuation token is the last key of the page before. */
function listObjects({ name, objects }: Bucket, { query }: S3Request): HttpResponse {
  const { prefix = '', 'continuation-token': token = '' } = query;
  const after = Buffer.from(token, 'base64');
  const limit = Math.min(Number(query['max-keys'] ?? MOST_KEYS), MOST_KEYS);
  const found = [...objects]
    .map(([key, object]) => ({ key, bytes: Buffer.from(key), ...object }))
    .filter(({ key, bytes }) => key.startsWith(prefix) && Buffer.compare(bytes, after) > 0)
    .toSorted((a, b) => Buffer.compare(a.bytes, b.bytes));
  const page = found.slice(0, limit);
  const next = found.length > page.length ? page.at(-1)?.bytes.toString('base64') : undefined;
  return xmlAnswer({
    ListBucketResult: {
      Name: name,
      Prefix: prefix,
      KeyCount: page.length,
      MaxKeys: limit,
      IsTruncated: next !== undefined,
      ...(next !== undefined && { NextContinuationToken: next }),
      Contents: page.map(({ key, body, etag, modifiedAt }) => ({
        ...{ Key: key, Size: body.length, ETag: etag, LastModified: modifiedAt.toISOString() },
      })),
    },
  });
}

/** Elements and their content: text or other elements. A list repeats the element. */
interface Elements {
  readonly [name: string]: string | number | boolean | Elements | readonly Elements[];
}

const xmlAnswer = (elements: Elements) =>
  new HttpResponse({ statusCode: 200, body: Buffer.from(`<?xml version="1.0"?>${xml(elements)}`) });

const xml = (elements: Elements): string =>
  Object.entries(elements)
    .flatMap(([name, content]) => [content].flat().map((each) => `<${name}>${inner(each)}</${name}>`))
    .join('');

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' } as const;

const inner = (content: string | number | boolean | Elements): string => {
  if (typeof content === 'object') return xml(content);
  return Object.entries(ESCAPES).reduce(
    (text, [character, escaped]) => text.replaceAll(character, escaped),
    String(content),
  );
};

/** The texts of all elements of this name. */
function textsOf(document: string, name: string): string[] {
  const found = document.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'));
  return [...found].map(([, text = '']) =>
    Object.entries(ESCAPES).reduceRight((rest, [one, escaped]) => rest.replaceAll(escaped, one), text),
  );
}
