import type { ByteSink } from '../../byte-streams.ts';
import { type ObjectRequest, type ObjectRequests, S3Error } from './object-requests.ts';
import { BlockPool, crc32OfBoth, Part, writtenCrc32 } from './part.ts';

/** S3 wants at least 5 MiB in every part but the last. */
export interface PartSizes {
  readonly partBytes: number;
  /** @default partBytes */
  readonly firstPartBytes?: number;
  /** What is larger is written in parts, and begun as soon as more than this has come. @default firstPartBytes */
  readonly putBytes?: number;
}

const EVEN_PARTS: PartSizes = { partBytes: 8 * 1024 ** 2 };

/** What became of an object's bytes. */
export interface WrittenObject {
  /** Of all of them, in base64. S3 has compared that of each part with what it got. */
  readonly crc32: string;
}

/** While one is sent the next one fills. */
const MOST_IN_FLIGHT = 2;

/** Objects that are written as their bytes come in, in bounded memory. */
export class ObjectUploads {
  readonly #requests: ObjectRequests;
  readonly #sizes: Required<PartSizes>;
  readonly #pool: BlockPool;

  constructor(requests: ObjectRequests, sizes = EVEN_PARTS, pool = new BlockPool()) {
    const { partBytes, firstPartBytes = partBytes, putBytes = firstPartBytes } = sizes;
    this.#requests = requests;
    this.#sizes = { partBytes, firstPartBytes, putBytes };
    this.#pool = pool;
  }

  /** The object exists once `end` has succeeded, and not before. */
  begin(object: NewObject): ByteSink<WrittenObject> {
    return new ObjectUpload(object, this.#requests, this.#sizes, this.#pool);
  }
}

/** One object: a single PUT if it is small, else a multipart upload. */
class ObjectUpload implements ByteSink<WrittenObject> {
  readonly #object: NewObject;
  readonly #requests: ObjectRequests;
  readonly #multipart: MultipartUpload;
  readonly #sizes: Required<PartSizes>;
  readonly #pool: BlockPool;
  readonly #stop = new AbortController();
  readonly #inFlight = new Set<Promise<void>>();
  #filling: Part;
  #partsSent = 0;
  /** Of the parts that were sent. */
  #crc = 0;
  #failure: { readonly cause: unknown } | undefined;

  constructor(object: NewObject, requests: ObjectRequests, sizes: Required<PartSizes>, pool: BlockPool) {
    this.#object = object;
    this.#requests = requests;
    this.#multipart = new MultipartUpload(requests, object);
    this.#sizes = sizes;
    this.#pool = pool;
    this.#filling = new Part(sizes.firstPartBytes, pool);
  }

  /** @throws what the upload has failed with */
  write(bytes: Uint8Array): Promise<void> | undefined {
    this.#throwFailure();
    for (let rest = bytes; rest.length > 0; rest = this.#filling.take(rest)) {
      // Sent only now that more bytes follow: an object of one part may be sent in another way.
      if (this.#filling.isFull) this.#sendPart();
    }
    if (!this.#multipart.hasBegun && this.#filling.length > this.#sizes.putBytes) return this.#begin();
    return this.#inFlight.size < MOST_IN_FLIGHT ? undefined : this.#room();
  }

  async end(): Promise<WrittenObject> {
    this.#throwFailure();
    if (!this.#multipart.hasBegun) {
      await this.#putWhole();
      return { crc32: this.#filling.checksum };
    }
    this.#sendPart();
    await Promise.all(this.#inFlight);
    this.#throwFailure();
    await this.#multipart.complete();
    return { crc32: writtenCrc32(this.#crc) };
  }

  async abort(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#inFlight);
    await this.#multipart.abort();
  }

  async #putWhole(): Promise<void> {
    const { contentType, ...place } = this.#object;
    const { chunks, checksum } = this.#filling;
    const headers = { 'content-type': contentType, 'x-amz-checksum-crc32': checksum };
    await this.#requests.send({ ...place, method: 'PUT', headers, chunks }, this.#stop.signal);
    this.#filling.giveBack();
  }

  /** The caller waits for S3's answer: else it would be read only behind more bytes of the client. */
  #begin(): Promise<void> {
    return this.#multipart.begin().then(
      () => undefined,
      (cause: unknown) => this.#fail(cause),
    );
  }

  async #room(): Promise<void> {
    while (this.#inFlight.size >= MOST_IN_FLIGHT) await Promise.race(this.#inFlight);
  }

  #sendPart(): void {
    const part = this.#filling;
    this.#filling = new Part(this.#sizes.partBytes, this.#pool);
    this.#crc = crc32OfBoth(this.#crc, part.crc32, part.length);
    const sent = this.#multipart
      .send(part, ++this.#partsSent, this.#stop.signal)
      // Only then: the blocks of a part that has failed are left to the garbage collector.
      .then(() => part.giveBack())
      .catch((cause: unknown) => this.#fail(cause))
      .finally(() => this.#inFlight.delete(sent));
    this.#inFlight.add(sent);
  }

  #fail(cause: unknown): void {
    this.#failure ??= { cause };
    this.#stop.abort();
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.cause;
  }
}

interface NewObject {
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
