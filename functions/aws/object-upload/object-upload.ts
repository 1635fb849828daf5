import type { ByteSink } from '../../byte-streams.ts';
import { MultipartUpload, type NewObject } from './multipart-upload.ts';
import type { ObjectRequests } from './object-requests.ts';
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
