import { Readable } from 'node:stream';
import { HttpResponse } from '@smithy/core/protocols';
import { ServiceError } from '../service.ts';
import { type Bucket, etagOf, type StoredObject } from './bucket.ts';
import { byteRange } from './byte-range.ts';
import { verifiedChecksums } from './checksums.ts';
import { noSuchKey, preconditionFailed } from './errors.ts';
import type { S3Request } from './s3-request.ts';

export function putObject(bucket: Bucket, { key, headers, body }: S3Request, modifiedAt: Date): HttpResponse {
  const checksums = verifiedChecksums(headers, body);
  const etag = etagOf(body);
  bucket.put(key, { body, etag, modifiedAt, headers: keptHeaders(headers), checksums }, headers);
  return new HttpResponse({ statusCode: 200, headers: { etag, ...checksums } });
}

/** The headers of a write that every reader gets. */
export function keptHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const kept = Object.entries(headers).filter(([name]) =>
    /^(content-(type|disposition)|x-amz-meta-.+)$/.test(name),
  );
  return { 'content-type': 'binary/octet-stream', ...Object.fromEntries(kept) };
}

export function getObject(bucket: Bucket, request: S3Request): HttpResponse {
  const { object, headers } = describe(bucket, request);
  const range = byteRange(request.headers.range, object.body.length);
  if (isUnchanged(object, request))
    return new HttpResponse({ statusCode: 304, headers, body: Readable.from([]) });
  if (range === undefined)
    return new HttpResponse({ statusCode: 200, headers, body: Readable.from([object.body]) });
  const { first, last } = range;
  const bytes = object.body.subarray(first, last + 1);
  return new HttpResponse({
    statusCode: 206,
    headers: {
      ...headers,
      'content-length': String(bytes.length),
      'content-range': `bytes ${first}-${last}/${object.body.length}`,
    },
    body: Readable.from([bytes]),
  });
}

/** An answer to HEAD has no body, even if it is an error. */
export function headObject(bucket: Bucket, request: S3Request): HttpResponse {
  try {
    return new HttpResponse({ statusCode: 200, headers: describe(bucket, request).headers });
  } catch (error) {
    if (error instanceof ServiceError) return new HttpResponse({ statusCode: error.status });
    throw error;
  }
}

function describe(bucket: Bucket, { key, headers, query }: S3Request) {
  const object = bucket.find(key);
  if (object === undefined) throw noSuchKey();
  const { 'if-match': match } = headers;
  if (match !== undefined && match !== object.etag) throw preconditionFailed();
  const asked = Object.entries(query).filter(([name]) => name.startsWith('response-'));
  const wantsChecksums = headers['x-amz-checksum-mode'] === 'ENABLED' && headers.range === undefined;
  return {
    object,
    headers: {
      ...object.headers,
      ...Object.fromEntries(asked.map(([name, value]) => [name.replace('response-', ''), value])),
      ...(wantsChecksums ? object.checksums : {}),
      'content-length': String(object.body.length),
      'last-modified': object.modifiedAt.toUTCString(),
      'accept-ranges': 'bytes',
      etag: object.etag,
    },
  };
}

const isUnchanged = ({ etag }: StoredObject, { headers }: S3Request) => headers['if-none-match'] === etag;
