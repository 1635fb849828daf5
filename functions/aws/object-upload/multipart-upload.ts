import { type ObjectRequest, type ObjectRequests, S3Error } from './object-requests.ts';
import type { Part } from './part.ts';

export interface NewObject {
  readonly bucket: string;
  readonly key: string;
  readonly contentType: string;
}

/** S3 may take longer to complete an upload of many parts than it does for other requests. */
const SILENCE_MILLISECONDS = 20_000;
const ALL_ATTEMPTS_MILLISECONDS = 120_000;

const UPLOAD_ID = /<UploadId>([^<]+)<\/UploadId>/;

/**
 * The requests that make one object of parts. S3 checks the CRC-32 of each part as it arrives; at the end it checks
 * those of all parts and the length of the whole.
 */
export class MultipartUpload {
  readonly #requests: ObjectRequests;
  readonly #object: NewObject;
  /** What the request that completes it says of each part. */
  readonly #listed: string[] = [];
  #id: Promise<string> | undefined;
  #length = 0;

  constructor(requests: ObjectRequests, object: NewObject) {
    this.#requests = requests;
    this.#object = object;
  }

  get hasBegun(): boolean {
    return this.#id !== undefined;
  }

  /** Once, however often it is called. @returns the id of the upload */
  begin(): Promise<string> {
    this.#id ??= this.#create();
    return this.#id;
  }

  /** @param number from 1, in the order of the object */
  async send(part: Part, number: number, signal: AbortSignal): Promise<void> {
    const query = { partNumber: String(number), uploadId: await this.begin() };
    const { chunks, checksum, length } = part;
    const headers = { 'x-amz-checksum-crc32': checksum };
    const { etag } = await this.#requests.send(
      { ...this.#object, method: 'PUT', query, headers, chunks },
      signal,
    );
    if (etag === undefined) throw new Error('S3 accepted a part but returned no ETag');
    // In neither is a character that XML escapes: an ETag is hexadecimal, in quotes.
    this.#listed[number - 1] =
      `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag><ChecksumCRC32>${checksum}</ChecksumCRC32></Part>`;
    this.#length += length;
  }

  async complete(): Promise<void> {
    const list = `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${this.#listed.join('')}</CompleteMultipartUpload>`;
    const headers = { 'content-type': 'application/xml', 'x-amz-mp-object-size': String(this.#length) };
    const query = { uploadId: (await this.#id) ?? '' };
    await this.#ask({ method: 'POST', query, headers, chunks: [Buffer.from(list)] });
  }

  /** Called once no part is being sent any more: S3 would keep a part that arrives later. */
  async abort(): Promise<void> {
    const uploadId = await this.#id?.catch(() => undefined);
    if (uploadId === undefined) return;
    await this.#ask({ method: 'DELETE', query: { uploadId } }).catch((error: unknown) => {
      // The upload was completed, and only the answer was lost.
      if (!(error instanceof S3Error && error.name === 'NoSuchUpload')) throw error;
    });
  }

  /**
   * Nothing cuts this short: without the id nobody could abort the upload. One whose answer is lost is left to the
   * bucket, which aborts what is a day old.
   */
  async #create(): Promise<string> {
    const headers = {
      'content-type': this.#object.contentType,
      'x-amz-checksum-algorithm': 'CRC32',
      'x-amz-checksum-type': 'COMPOSITE',
    };
    const { text } = await this.#ask({ method: 'POST', query: { uploads: '' }, headers });
    const id = UPLOAD_ID.exec(text)?.[1];
    if (id === undefined) throw new Error('S3 started an upload but returned no id');
    return id;
  }

  #ask(request: Omit<ObjectRequest, 'bucket' | 'key'>) {
    const patient = { ...this.#object, ...request, silenceMilliseconds: SILENCE_MILLISECONDS };
    return this.#requests.send(patient, AbortSignal.timeout(ALL_ATTEMPTS_MILLISECONDS));
  }
}
