import { type HttpRequest, HttpResponse } from '@smithy/core/protocols';
import { NotInEngine, type Order, type Service, ServiceError } from '../service.ts';
import { Bucket } from './bucket.ts';
import { deleteObjects } from './delete-objects.ts';
import { noSuchBucket } from './errors.ts';
import { listObjects } from './listing.ts';
import { abortUpload, completeUpload, createUpload, listUploads, uploadPart } from './multipart.ts';
import { getObject, headObject, putObject } from './objects.ts';
import { readBody, readHead, type S3Request } from './s3-request.ts';
import { xmlDocument } from './xml.ts';

/** The part of S3 that Genway uses, in memory. */
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
    const body = Buffer.from(xmlDocument({ Error: { Code: code, Message: message } }));
    return new HttpResponse({ statusCode: status, headers: { 'content-type': 'application/xml' }, body });
  }

  createBucket(name: string): Bucket {
    const bucket = new Bucket(name);
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
    if (bucket === undefined) throw noSuchBucket();
    const run = RUNS[request.operation];
    if (run === undefined) throw new NotInEngine(`The s3 engine has no ${request.operation}`);
    return run(bucket, request, this.#now());
  }
}

const RUNS: Readonly<Record<string, (bucket: Bucket, request: S3Request, now: Date) => HttpResponse>> = {
  PutObject: putObject,
  GetObject: getObject,
  HeadObject: headObject,
  DeleteObject: (bucket, { key }) => {
    bucket.remove(key);
    return new HttpResponse({ statusCode: 204 });
  },
  DeleteObjects: deleteObjects,
  ListObjectsV2: listObjects,
  CreateMultipartUpload: createUpload,
  UploadPart: uploadPart,
  CompleteMultipartUpload: completeUpload,
  AbortMultipartUpload: abortUpload,
  ListMultipartUploads: listUploads,
};
