import { HttpResponse } from '@smithy/core/protocols';
import { ServiceError } from '../service.ts';
import type { Bucket } from './bucket.ts';
import { verifiedChecksums } from './checksums.ts';
import type { S3Request } from './s3-request.ts';
import { textsOf, xmlDocument } from './xml.ts';

const MOST_KEYS = 1000;

/** Deleting an object that does not exist succeeds too. @throws ServiceError */
export function deleteObjects(bucket: Bucket, { headers, body }: S3Request): HttpResponse {
  if (Object.keys(verifiedChecksums(headers, body)).length === 0) {
    throw new ServiceError('InvalidRequest', 'Missing required header for this request: a checksum');
  }
  const document = body.toString();
  const keys = textsOf(document, 'Key');
  if (keys.length === 0 || keys.length > MOST_KEYS) {
    throw new ServiceError('MalformedXML', 'The XML you provided was not well-formed');
  }
  for (const key of keys) bucket.remove(key);
  const isQuiet = textsOf(document, 'Quiet')[0] === 'true';
  const answer = { DeleteResult: isQuiet ? {} : { Deleted: keys.map((Key) => ({ Key })) } };
  return new HttpResponse({ statusCode: 200, body: Buffer.from(xmlDocument(answer)) });
}
