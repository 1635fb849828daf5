import { createHash } from 'node:crypto';
import { HttpResponse } from '@smithy/core/protocols';
import { ServiceError } from '../service.ts';
import { type Bucket, etagOf, type Part, type Upload } from './bucket.ts';
import { verifiedChecksums } from './checksums.ts';
import { keptHeaders } from './objects.ts';
import type { S3Request } from './s3-request.ts';
import { textsOf, xmlDocument } from './xml.ts';

const SMALLEST_PART = 5 * 1024 ** 2;
const MOST_PARTS = 10_000;

export function createUpload(bucket: Bucket, { key, headers }: S3Request, now: Date): HttpResponse {
  const { id } = bucket.begin(key, now, keptHeaders(headers));
  return xmlAnswer({ InitiateMultipartUploadResult: { Bucket: bucket.name, Key: key, UploadId: id } });
}

export function uploadPart(bucket: Bucket, { key, query, headers, body }: S3Request): HttpResponse {
  const upload = bucket.upload(key, query.uploadId ?? '');
  const checksums = verifiedChecksums(headers, body);
  const number = Number(query.partNumber);
  if (!(number >= 1 && number <= MOST_PARTS)) {
    throw new ServiceError(
      'InvalidArgument',
      `Part number must be an integer between 1 and ${MOST_PARTS}, inclusive`,
    );
  }
  const etag = etagOf(body);
  upload.parts.set(number, { body, etag });
  return new HttpResponse({ statusCode: 200, headers: { etag, ...checksums } });
}

export function completeUpload(bucket: Bucket, request: S3Request, modifiedAt: Date): HttpResponse {
  const { key, query, headers, body } = request;
  const upload = bucket.upload(key, query.uploadId ?? '');
  const parts = listedParts(upload, body.toString());
  const digests = parts.map(({ etag }) => Buffer.from(etag.replaceAll('"', ''), 'hex'));
  const digest = createHash('md5').update(Buffer.concat(digests)).digest('hex');
  const etag = `"${digest}-${parts.length}"`;
  const whole = Buffer.concat(parts.map((part) => part.body));
  bucket.put(key, { body: whole, etag, modifiedAt, headers: upload.headers, checksums: {} }, headers);
  bucket.end(upload);
  return xmlAnswer({ CompleteMultipartUploadResult: { Bucket: bucket.name, Key: key, ETag: etag } });
}

/** The parts of the completed object, in order. @throws ServiceError */
function listedParts({ parts }: Upload, list: string): Part[] {
  const numbers = textsOf(list, 'PartNumber').map(Number);
  const etags = textsOf(list, 'ETag');
  if (numbers.length === 0) {
    throw new ServiceError(
      'MalformedXML',
      'The XML you provided was not well-formed or did not validate against our published schema',
    );
  }
  if (numbers.some((number, i) => number <= (numbers[i - 1] ?? 0))) {
    throw new ServiceError('InvalidPartOrder', 'The list of parts was not in ascending order.');
  }
  return numbers.map((number, i) => {
    const part = parts.get(number);
    if (part === undefined || part.etag !== etags[i]) {
      throw new ServiceError('InvalidPart', 'One or more of the specified parts could not be found.');
    }
    if (part.body.length < SMALLEST_PART && i < numbers.length - 1) {
      throw new ServiceError(
        'EntityTooSmall',
        'Your proposed upload is smaller than the minimum allowed size',
      );
    }
    return part;
  });
}

export function abortUpload(bucket: Bucket, { key, query }: S3Request): HttpResponse {
  bucket.end(bucket.upload(key, query.uploadId ?? ''));
  return new HttpResponse({ statusCode: 204 });
}

export function listUploads(bucket: Bucket, { query: { prefix = '' } }: S3Request): HttpResponse {
  const uploads = bucket.uploads().filter(({ key }) => key.startsWith(prefix));
  return xmlAnswer({
    ListMultipartUploadsResult: {
      Bucket: bucket.name,
      IsTruncated: false,
      Upload: uploads.map(({ id, key, startedAt }) => ({
        Key: key,
        UploadId: id,
        Initiated: startedAt.toISOString(),
      })),
    },
  });
}

const xmlAnswer = (elements: Parameters<typeof xmlDocument>[0]) =>
  new HttpResponse({ statusCode: 200, body: Buffer.from(xmlDocument(elements)) });
