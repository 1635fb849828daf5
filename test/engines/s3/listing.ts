import { HttpResponse } from '@smithy/core/protocols';
import type { Bucket } from './bucket.ts';
import type { S3Request } from './s3-request.ts';
import { xmlDocument } from './xml.ts';

const MOST_KEYS = 1000;

/** The continuation token is the last key of the page before. */
export function listObjects(bucket: Bucket, { query }: S3Request): HttpResponse {
  const { prefix = '', 'start-after': start = '', 'continuation-token': token } = query;
  const after = token === undefined ? start : Buffer.from(token, 'base64').toString();
  const limit = Math.min(Number(query['max-keys'] ?? MOST_KEYS), MOST_KEYS);
  const keys = bucket.keys();
  const found = keys.filter(
    (key) => key.startsWith(prefix) && Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0,
  );
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const isTruncated = found.length > page.length;
  const elements = {
    Name: bucket.name,
    Prefix: prefix,
    KeyCount: page.length,
    MaxKeys: limit,
    IsTruncated: isTruncated,
    ...(isTruncated && last !== undefined
      ? { NextContinuationToken: Buffer.from(last).toString('base64') }
      : {}),
    Contents: page.map((key) => contentsOf(bucket, key)),
  };
  return new HttpResponse({
    statusCode: 200,
    body: Buffer.from(xmlDocument({ ListBucketResult: elements })),
  });
}

function contentsOf(bucket: Bucket, key: string) {
  const object = bucket.find(key);
  return {
    Key: key,
    Size: object?.body.length ?? 0,
    ETag: object?.etag ?? '',
    LastModified: (object?.modifiedAt ?? new Date(0)).toISOString(),
  };
}
